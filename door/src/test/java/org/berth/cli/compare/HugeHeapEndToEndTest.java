package org.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.cli.CliProcess;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The huge pages of a heap, as compare reports them, are those that the kernel counts for the JVM. */
@Tag("one-jdk")
final class HugeHeapEndToEndTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final long HEAP = 96 * MEBIBYTE;

    /** Metaspace, stacks and the collector's tables may have huge pages, too. */
    private static final long OUTSIDE_OF_THE_HEAP = 24 * MEBIBYTE;

    private static final Path MODE = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    @TempDir
    private Path folder;

    @Test
    void theShareOfEachArmIsWhatTheKernelGave() throws Exception {
        Machine.requireNuma();
        assumeThat(MODE).as("a kernel with transparent huge pages").exists();
        String mode = Files.readString(MODE);
        assumeThat(mode).as("a kernel that gives transparent huge pages").doesNotContain("[never]");
        Path results = folder.resolve("results");
        Child.Result result = CliProcess.run(
                folder,
                "compare",
                "--explain",
                "--levels",
                "none",
                "--arm",
                "huge=JAVA_TOOL_OPTIONS=-XX:+UseTransparentHugePages --level none",
                "--runs",
                "1",
                "--results",
                results.toString(),
                "--json",
                folder.resolve("comparison.json").toString(),
                "--",
                CliProcess.JAVA,
                "-XX:+UseSerialGC",
                "-XX:+AlwaysPreTouch",
                "-Xms" + HEAP,
                "-Xmx" + HEAP,
                "-cp",
                CliProcess.CLASS_PATH,
                HugeHeapSubject.class.getName());

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).containsPattern("MEDIANS .* HUGE");
        String trials = Files.readString(results.resolve("trials.jsonl"));
        for (String arm : new String[] {"none", "huge"}) {
            double inHeap = HEAP * number(trials, "\"round\":1,\"arm\":\"" + arm + "\".*\"heapHugeShare\":([0-9.E-]+)");
            double inJvm = 1024 * number(log(results, arm), "AnonHugePages: +(\\d+) kB");
            assertThat(inHeap).as("%s, of %s", arm, inJvm).isBetween(inJvm - OUTSIDE_OF_THE_HEAP, inJvm + MEBIBYTE);
            if (arm.equals("huge")) {
                assertThat(inHeap).isPositive();
            } else if (!mode.contains("[always]")) {
                assertThat(inHeap).isZero();
            }
        }
        assertThat(Files.readString(folder.resolve("comparison.json"))).contains("\"heapHugeShare\"");
        assertThat(Files.readString(results.resolve("report.html"))).contains("JVM heap in huge pages");
    }

    private static String log(Path results, String arm) throws IOException {
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(results, "*-round-1-" + arm + ".log")) {
            return Files.readString(logs.iterator().next());
        }
    }

    private static double number(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
        return Double.parseDouble(matcher.group(1));
    }
}
