package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A JVM renames the log of the one before, once for each start of the service: old logs are not pushed out. */
@Timeout(120)
final class LogFilesTest {
    private static final int STARTS = 6;
    private static final int SMALLEST_HEAP = 64;

    @TempDir
    private Path folder;

    private final String agent;

    LogFilesTest() throws IOException {
        Machine.requireCpus(2);
        agent = Built.agent("cpus=" + Machine.cpus().get(0) + ",strict");
    }

    private static List<Jdk> jdks() {
        return Jdk.all();
    }

    /**
     * Each file, and the number of the start that wrote it, by the size of its heap: a PID may come back, as other tests make it. Fewer
     * files are kept than there are starts.
     */
    private Map<String, List<Integer>> logsAfterStarts(String name, List<String> java) throws IOException {
        Path logs = Files.createDirectory(folder.resolve(name));
        List<String> heaps = new ArrayList<>();
        for (int i = 0; i < STARTS; i++) {
            List<String> command = new ArrayList<>(java);
            String size = (SMALLEST_HEAP + 2 * i) + "M";
            heaps.add("Heap Max Capacity: " + size);
            command.addAll(List.of("-Xmx" + size, "-Xlog:gc*:file=" + logs + "/gc.log::filecount=4", "-version"));
            try (Child child = Child.start(command.toArray(new String[0]))) {
                Child.Result result = child.finish();
                assertThat(result.exitCode()).as(result.err()).isZero();
            }
        }
        Map<String, List<Integer>> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(logs)) {
            for (Path file : files.toList()) {
                found.put(
                        String.valueOf(file.getFileName()),
                        Files.readAllLines(file).stream()
                                .map(line -> heaps.indexOf(line.replaceFirst(".*] ", "")))
                                .filter(start -> start >= 0)
                                .toList());
            }
        }
        return found;
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aBoundJvmLeavesTheLogsThatAnyOtherLeaves(Jdk jdk) throws Exception {
        String java = jdk.tool("java");
        Map<String, List<Integer>> expected = logsAfterStarts("plain", List.of(java));
        assertThat(expected).hasSize(5).containsEntry("gc.log", List.of(STARTS - 1));

        assertThat(logsAfterStarts("exec", List.of(Built.exec(), "--agent", "yes", "--", java, agent)))
                .isEqualTo(expected);
        if (birthTimesAreKnown()) {
            assertThat(logsAfterStarts("agent", List.of(java, agent))).isEqualTo(expected);
        }
    }

    /** Without them the agent undoes nothing. */
    private boolean birthTimesAreKnown() throws IOException {
        try (Child stat = Child.start("stat", "--format=%W", folder.toString())) {
            return !stat.finish().out().strip().matches("[0?-]");
        }
    }

    /** Files that the JVM did not make stay as they are. */
    @ParameterizedTest
    @MethodSource("jdks")
    void aFileThatIsHandedDownIsNoLog(Jdk jdk) throws Exception {
        Path file = folder.resolve("out");
        Path archive = Files.writeString(folder.resolve("out.0"), "older");
        String script = "mv \"$0.0\" \"$0.1\"; mv \"$0.1\" \"$0.0\"; exec 5>>\"$0\"; exec \"$@\"";
        try (Child child = Child.start("bash", "-c", script, file.toString(), jdk.tool("java"), agent, "-version")) {
            assertThat(child.finish().exitCode()).isZero();
        }
        assertThat(file).isEmptyFile();
        assertThat(archive).hasContent("older");
    }
}
