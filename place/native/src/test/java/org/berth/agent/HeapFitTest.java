package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A heap that is larger than the nodes it is bound to is told, wherever its size was given. */
@Timeout(120)
class HeapFitTest {
    static List<Jdk> jdks() {
        return Jdk.all();
    }

    private final int node;
    private final String bind;
    private final long nodeMebibytes;

    HeapFitTest() throws IOException {
        node = Machine.requireMemoryNodes().get(0);
        bind = "nodes=" + node + ",memory=bind";
        long own = mebibytes(Path.of("/sys/devices/system/node/node" + node + "/meminfo"));
        // A virtual machine whose memory grew counts the rest for the system only.
        boolean isAll = Files.readString(Path.of("/sys/devices/system/node/has_memory"))
                .strip()
                .equals(String.valueOf(node));
        nodeMebibytes = isAll ? Math.max(own, mebibytes(Path.of("/proc/meminfo"))) : own;
    }

    private static long mebibytes(Path meminfo) throws IOException {
        return Files.readAllLines(meminfo).stream()
                .filter(line -> line.contains("MemTotal:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:|kB| ", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aHeapLargerThanTheNodeIsTold(Jdk jdk) throws Exception {
        // A JVM rounds it to its regions.
        long heap = (nodeMebibytes / 64 + 8) * 64;
        assertTold(JvmCommand.of(jdk).with("-Xmx" + heap + "m").withAgent(bind), heap);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void whereverItsSizeIsGiven(Jdk jdk, @TempDir Path directory) throws Exception {
        long heap = (nodeMebibytes / 1024 + 1) * 1024;
        Path file = Files.writeString(directory.resolve("arguments"), "-XX:MaxHeapSize=" + heap / 1024 + "g\n");
        assertTold(JvmCommand.of(jdk).with("@" + file).withAgent(bind), heap);
        assertTold(
                JvmCommand.of(jdk)
                        .environment("JAVA_TOOL_OPTIONS", "-Xmx" + heap * 1024 + "k")
                        .withAgent(bind),
                heap);
        // The last one counts.
        assertTold(JvmCommand.of(jdk).with("-Xmx8m", "-Xmx" + heap + "m").withAgent(bind), heap);
        assertSilent(JvmCommand.of(jdk).with("-Xmx" + heap + "m", "-Xmx64m").withAgent(bind));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void whatFitsOrIsNotBoundIsNot(Jdk jdk) throws Exception {
        String heap = "-Xmx" + (nodeMebibytes + 512) + "m";
        assertSilent(JvmCommand.of(jdk).with("-Xmx64m").withAgent(bind));
        assertSilent(JvmCommand.of(jdk).with(heap).withAgent("nodes=" + node + ",memory=prefer"));
        assertSilent(JvmCommand.of(jdk).with(heap).withAgent("nodes=" + node + ",memory=interleave"));
    }

    private void assertTold(JvmCommand command, long heapMebibytes) throws IOException {
        try (Jvm jvm = command.start()) {
            jvm.ready();
            assertThat(jvm.messages())
                    .containsExactly("berth: the heap may grow to " + heapMebibytes + " MiB, and node " + node
                            + " has only "
                            + nodeMebibytes + " MiB: with memory=bind the kernel kills the JVM when that is full;"
                            + " lower -Xmx, or use memory=prefer");
        }
    }

    private static void assertSilent(JvmCommand command) throws IOException {
        try (Jvm jvm = command.start()) {
            jvm.ready();
            assertThat(jvm.messages()).isEmpty();
        }
    }
}
