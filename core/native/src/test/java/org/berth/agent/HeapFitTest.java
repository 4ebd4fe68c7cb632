package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A heap that is larger than the nodes it is bound to is told, wherever its size was given. */
@Timeout(120)
class HeapFitTest {
    private static final Path MEMINFO = Path.of("/sys/devices/system/node/node0/meminfo");
    private static final String BIND = "nodes=0,memory=bind";

    static List<Jdk> jdks() {
        return Jdk.all();
    }

    private final long nodeMebibytes;

    HeapFitTest() throws IOException {
        assumeTrue(Files.exists(MEMINFO), "a kernel without NUMA");
        nodeMebibytes = Files.readAllLines(MEMINFO).stream()
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
        assertTold(JvmCommand.of(jdk).with("-Xmx" + heap + "m").withAgent(BIND), heap);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void whereverItsSizeIsGiven(Jdk jdk, @TempDir Path directory) throws Exception {
        long heap = (nodeMebibytes / 1024 + 1) * 1024;
        Path file = Files.writeString(directory.resolve("arguments"), "-XX:MaxHeapSize=" + heap / 1024 + "g\n");
        assertTold(JvmCommand.of(jdk).with("@" + file).withAgent(BIND), heap);
        assertTold(
                JvmCommand.of(jdk)
                        .environment("JAVA_TOOL_OPTIONS", "-Xmx" + heap * 1024 + "k")
                        .withAgent(BIND),
                heap);
        // The last one counts.
        assertTold(JvmCommand.of(jdk).with("-Xmx8m", "-Xmx" + heap + "m").withAgent(BIND), heap);
        assertSilent(JvmCommand.of(jdk).with("-Xmx" + heap + "m", "-Xmx64m").withAgent(BIND));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void whatFitsOrIsNotBoundIsNot(Jdk jdk) throws Exception {
        String heap = "-Xmx" + (nodeMebibytes + 512) + "m";
        assertSilent(JvmCommand.of(jdk).with("-Xmx64m").withAgent(BIND));
        assertSilent(JvmCommand.of(jdk).with(heap).withAgent("nodes=0,memory=prefer"));
        assertSilent(JvmCommand.of(jdk).with(heap).withAgent("nodes=0,memory=interleave"));
    }

    private void assertTold(JvmCommand command, long heapMebibytes) throws IOException {
        try (Jvm jvm = command.start()) {
            jvm.ready();
            assertThat(jvm.messages())
                    .containsExactly("berth: the heap may grow to " + heapMebibytes + " MiB, and node 0 has only "
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
