package org.berth.observation.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.berth.observation.ChildProgram;
import org.berth.observation.ObservationException;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class HeapMemoryTest {
    private static final long HEAP = 64L << 20;

    /** What the JVM touched at its start is the whole heap, by its own option; with transparent huge pages where Linux gives any. */
    @ParameterizedTest
    @ValueSource(strings = {"Serial", "Parallel", "G1", "Shenandoah", "Z"})
    void allOfARealHeapIsFoundOnce(String collector) throws Exception {
        Machine.requireNuma();
        assumeThat(Child.run(ChildJvm.JAVA.toString(), "-XX:+Use" + collector + "GC", "-version")
                        .exitCode())
                .as("this JDK has " + collector)
                .isZero();
        try (Child jvm = start("-XX:+Use" + collector + "GC", "-XX:+UseTransparentHugePages")) {
            String info = heapInfo(jvm);
            // A page that the kernel moves or makes part of a huge one just then is not counted: there is another look.
            Await.untilAsserted(
                    "all pages of the heap",
                    () -> assertThat(of(jvm, info).totalBytes()).isGreaterThanOrEqualTo(HEAP));
            HeapMemory heap = of(jvm, info);
            // Headroom of some pages: a mapping of the collector may lie next to the heap in the same mapping.
            assertThat(heap.totalBytes()).isLessThanOrEqualTo(HEAP + (8L << 20));
            boolean shared = collector.equals("Z");
            String mode = shared ? "shmem_enabled" : "enabled";
            String enabled = Files.readString(Path.of("/sys/kernel/mm/transparent_hugepage/" + mode));
            if (enabled.contains("[never]") || enabled.contains("[deny]")) {
                assertThat(heap.hugeBytes()).isZero();
            } else if (!shared) {
                // Free memory may be in pieces: some huge pages are there, not always all.
                assertThat(heap.hugeBytes()).isPositive();
            }
            assertThat(heap.hugeBytes()).isLessThanOrEqualTo(heap.totalBytes());
            // All pages were touched: what is found without asking the JVM is the same.
            Await.untilAsserted(
                    "the same without asking the JVM",
                    () -> assertThat(HeapMemory.find(jvm.pid()).orElseThrow().bytesByNode())
                            .isEqualTo(of(jvm, info).bytesByNode()));
        }
    }

    private static HeapMemory of(Child jvm, String info) {
        return HeapMemory.of(jvm.pid(), info).orElseThrow();
    }

    @Test
    void aHeapWithoutHugePagesHasNone() throws Exception {
        Machine.requireNuma();
        assumeThat(Files.readString(Path.of("/sys/kernel/mm/transparent_hugepage/enabled")))
                .as("they must be asked for")
                .doesNotContain("[always]");
        try (Child jvm = start("-XX:+UseSerialGC")) {
            HeapMemory heap = HeapMemory.of(jvm.pid(), heapInfo(jvm)).orElseThrow();
            assertThat(heap.totalBytes()).isGreaterThanOrEqualTo(HEAP);
            assertThat(heap.hugeBytes()).isZero();
        }
    }

    @Test
    void hugePagesOfEachNodeWhereMappingsAreOfOneNodeAndInProportionWhereNot(@TempDir Path process) throws IOException {
        Files.writeString(process.resolve("smaps"), """
                e0000000-e0800000 rw-p 00000000 00:00 0\s
                Size:               8192 kB
                AnonHugePages:      6144 kB
                ShmemPmdMapped:        0 kB
                e0800000-e1000000 rw-p 00000000 00:00 0\s
                AnonHugePages:      4096 kB
                f0000000-f0400000 rw-p 00000000 00:0f 33                         /anon_hugepage (deleted)
                AnonHugePages:         0 kB
                Private_Hugetlb:    4096 kB
                7f0000000000-7f0000400000 rw-p 00000000 00:00 0\s
                AnonHugePages:      4096 kB
                """);
        Files.writeString(process.resolve("numa_maps"), """
                e0000000 bind:0 anon=2048 dirty=2048 N0=2048 kernelpagesize_kB=4
                e0800000 interleave:0-1 anon=2048 dirty=2048 N0=512 N1=1536 kernelpagesize_kB=4
                f0000000 bind:1 file=/anon_hugepage\\040(deleted) huge anon=2 dirty=2 N1=2 kernelpagesize_kB=2048
                7f0000000000 default anon=1024 dirty=1024 N1=1024 kernelpagesize_kB=4
                """);
        HeapMemory heap = HeapMemory.of(process, """
                 def new generation   total 116160K, used 45520K [0x00000000e0000000, 0x00000000e0700000, 0x00000000e0800000)
                 tenured generation   total 258048K, used 89089K [0x00000000e0800000, 0x00000000f0400000, 0x0000000100000000)
                """).orElseThrow();
        long mebibyte = 1L << 20;
        assertThat(heap.bytesByNode()).isEqualTo(Map.of(0, 10 * mebibyte, 1, 10 * mebibyte));
        assertThat(heap.hugeBytesByNode()).isEqualTo(Map.of(0, 7 * mebibyte, 1, 7 * mebibyte));
    }

    /** As JDK 17 maps it: at 4, 8 and 16 TiB. */
    @Test
    void theThreeViewsOfOneHeapCountOnce(@TempDir Path process) throws IOException {
        StringBuilder smaps = new StringBuilder();
        StringBuilder numaMaps = new StringBuilder();
        for (String start : new String[] {"40000000000", "80000000000", "100000000000"}) {
            int share = start.startsWith("4") ? 1366 : 1365; // a third of 4 MiB
            smaps.append(start)
                    .append('-')
                    .append(start, 0, start.length() - 6)
                    .append("400000")
                    .append(" rw-s 00000000 00:01 4 /memfd:java_heap (deleted)\nPss: " + share
                            + " kB\nShmemPmdMapped: 2048 kB\n");
            numaMaps.append(start).append(" default file=/memfd:java_heap dirty=1024 N0=1024 kernelpagesize_kB=4\n");
        }
        Files.writeString(process.resolve("smaps"), smaps);
        Files.writeString(process.resolve("numa_maps"), numaMaps);
        HeapMemory heap = HeapMemory.of(process, " ZHeap used 4M, capacity 8M, max capacity 64M")
                .orElseThrow();
        assertThat(heap.totalBytes()).isEqualTo(4L << 20);
        assertThat(heap.hugeBytes()).isEqualTo(2L << 20);
    }

    /**
     * JDK 17 touches its pages by one view after the other, so none has all of them. The file in memory, which is the heap, is the
     * witness.
     */
    @Test
    void aHeapOfZgcThatIsTouchedByAllItsViewsIsCountedOnce() throws Exception {
        Machine.requireNuma();
        assumeThat(Child.run(ChildJvm.JAVA.toString(), "-XX:+UseZGC", "-version")
                        .exitCode())
                .isZero();
        try (Child jvm = ChildJvm.of(ChildProgram.class, "collect")
                .with("-XX:+UseZGC", "-Xmx300m", "-XX:-ZUncommit")
                .start()) {
            jvm.readLine();
            long file = Long.parseLong(Tool.output(
                            "sh",
                            "-c",
                            "for f in /proc/$0/fd/*; do case $(readlink $f) in */memfd:java_heap*) stat -L -c %b $f;; esac; done",
                            Long.toString(jvm.pid())))
                    * 512;
            HeapMemory heap = HeapMemory.find(jvm.pid()).orElseThrow();
            assertThat(heap.totalBytes()).isBetween(ChildProgram.LIVE_BYTES, file);
            MemorySnapshot memory = MemorySnapshot.of(jvm.pid());
            assertThat(memory.ownBytesByNode().values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .isBetween(ChildProgram.LIVE_BYTES, file + (128L << 20));
        }
    }

    @Test
    void aProcessThatIsNoJvmHasNoHeap() throws Exception {
        try (Child sleep = Child.start("sleep", "100")) {
            assertThat(HeapMemory.find(sleep.pid())).isEmpty();
        }
        assertThatThrownBy(() -> HeapMemory.find(Integer.MAX_VALUE))
                .isInstanceOf(ObservationException.class)
                .hasMessageEndingWith("the process ended");
    }

    @Test
    void noAddressesAreNoHeap(@TempDir Path process) throws IOException {
        Files.writeString(process.resolve("smaps"), "e0000000-e0800000 rw-p 00000000 00:00 0 \n");
        Files.writeString(process.resolve("numa_maps"), "e0000000 default anon=1 N0=1 kernelpagesize_kB=4\n");
        assertThat(HeapMemory.of(process, "a collector without addresses")).isEmpty();
        assertThatThrownBy(() -> HeapMemory.of(process.resolve("gone"), ""))
                .isInstanceOf(ObservationException.class)
                .hasMessageEndingWith("the process ended");
    }

    private static Child start(String... options) {
        Child jvm = ChildJvm.of(ChildProgram.class, "sleep")
                .with("-Xms" + HEAP, "-Xmx" + HEAP, "-XX:+AlwaysPreTouch")
                .with(options)
                .start();
        jvm.readLine(); // it is ready
        return jvm;
    }

    private static String heapInfo(Child jvm) {
        return Tool.output(ChildJvm.JAVA.resolveSibling("jcmd").toString(), Long.toString(jvm.pid()), "GC.heap_info");
    }
}
