package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.binding.errors.BindingException;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;

/** What memory outside the heap takes of the machine, in JVMs of their own; the oracle is VmHWM in /proc/PID/status. */
class NativeMemoryTest {
    private static final int PIECE = 64 << 20;
    private static final int PIECES = 40;
    private static final int MIB = 1 << 20;

    /**
     * Forty times 64 MiB are 2,560 MiB; the JVM may have 256 MiB of heap, as much beyond it, and what it needs itself.
     */
    private static final long MOST_KIB = (256 + 256 + 300) << 10;

    @Test
    void whatIsDroppedCountsAgainstTheLimitOfTheJvm() {
        String peak = JavaProcess.of(Drop.class).option("-Xmx256m").run();
        assertThat(Long.parseLong(peak)).isLessThan(MOST_KIB);
    }

    @Test
    void pagesNearACpuAreOnItsNode() throws IOException {
        Machine.requireNuma();
        LocalMachine machine = LocalMachine.open();
        int cpu = machine.topology().allowedCpuSet().first();
        try (NativeMemory memory = machine.binder().allocateNear(cpu, MIB)) {
            assertThat(memory.pagesByNode()).isEmpty();
            ByteBuffer buffer = memory.buffer();
            for (int at = 0; at < MIB; at += 4096) {
                buffer.put(at, (byte) 1);
            }
            assertThat(memory.pagesByNode())
                    .isEqualTo(pagesOfMapping(memory.range().address()));
            Set<Integer> near = nodesOfCpu(cpu);
            assumeTrue(Machine.requireMemoryNodes().containsAll(near), "the node of CPU " + cpu + " has no memory");
            assertThat(memory.pagesByNode().keySet()).isEqualTo(near);
        }
    }

    /** What the kernel writes of the mapping in which an address is: "N0=256" in /proc/self/numa_maps. */
    private static Map<Integer, Long> pagesOfMapping(long address) throws IOException {
        String mapping = Files.readAllLines(Path.of("/proc/self/numa_maps")).stream()
                .filter(line -> Long.parseUnsignedLong(line.split(" ", 2)[0], 16) <= address)
                .reduce((earlier, later) -> later)
                .orElseThrow();
        return Pattern.compile(" N(\\d+)=(\\d+)")
                .matcher(mapping)
                .results()
                .collect(Collectors.toMap(node -> Integer.valueOf(node.group(1)), node -> Long.valueOf(node.group(2))));
    }

    /** The kernel's links from the CPU to its node. */
    private static Set<Integer> nodesOfCpu(int cpu) throws IOException {
        try (Stream<Path> links = Files.list(Path.of("/sys/devices/system/cpu/cpu" + cpu))) {
            return links.map(link -> link.getFileName().toString())
                    .filter(name -> name.matches("node\\d+"))
                    .map(name -> Integer.valueOf(name.substring("node".length())))
                    .collect(Collectors.toSet());
        }
    }

    /** The flag "hg" of the mapping in /proc/self/smaps, which is found by its size. */
    @Test
    void hugePagesAreAdvisedToTheKernel() throws IOException {
        assumeTrue(
                Files.exists(Path.of("/sys/kernel/mm/transparent_hugepage/enabled")),
                "this kernel has no transparent huge pages");
        try (NativeMemory memory = LocalMachine.open().binder().allocate(37L * MIB, MemoryPolicy.local())) {
            assertThat(flagsOfMapping(37 * 1024)).doesNotContain("hg");
            memory.useHugePages();
            assertThat(flagsOfMapping(37 * 1024)).contains("hg");
        }
    }

    private static List<String> flagsOfMapping(int kib) throws IOException {
        boolean here = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.startsWith("Size:")) {
                here = line.matches("Size: *" + kib + " kB");
            } else if (here && line.startsWith("VmFlags:")) {
                return List.of(line.substring("VmFlags:".length()).strip().split(" ", -1));
            }
        }
        throw new AssertionError("no mapping of " + kib + " KiB");
    }

    @Test
    void whatIsClosedIsGivenBackAtOnce() {
        List<String> lines = JavaProcess.of(Close.class)
                .option("-Xmx256m")
                .option("-XX:+DisableExplicitGC")
                .option("-Xlog:gc:stderr")
                .run()
                .lines()
                .toList();
        assertThat(lines).hasSize(3);
        assertThat(Long.parseLong(lines.get(0))).isLessThan(MOST_KIB);
        assertThat(lines.subList(1, 3)).containsExactly("read 0", "native memory of 67108864 bytes is closed");
    }

    @Test
    void whatIsKeptIsRefusedBeyondTheLimitThatTheUserGave() {
        List<String> lines = JavaProcess.of(Keep.class)
                .option("-XX:MaxDirectMemorySize=3200m")
                .run()
                .lines()
                .toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).isEqualTo("larger than a buffer: 7");
        // The JVM may have small direct buffers of its own.
        assertThat(lines.get(1))
                .matches("cannot allocate 104857600 bytes to LOCAL: of the JVM's limit of 3355443200 bytes of direct"
                        + " memory, 3221225472 are in use by such memory and 67\\d{6} by direct buffers;"
                        + " close what is no longer needed, or raise -XX:MaxDirectMemorySize");
        assertThat(lines.get(2)).isEqualTo("after the close: 100 MiB");
    }

    /** The kernel has a limit of mappings, and a JVM without one for a thread or its metaspace ends. */
    @Test
    void mappingsOfSmallMemoriesDoNotPileUp() {
        List<String> lines = JavaProcess.of(Small.class).run().lines().toList();
        assertThat(lines)
                .hasSize(2)
                .allSatisfy(line -> assertThat(Integer.parseInt(line)).isLessThan(30_000));
        assertThat(Integer.parseInt(lines.get(0))).as("closed without a buffer").isLessThan(3_000);
    }

    private static long peakKib() {
        return Long.parseLong(
                Objects.requireNonNull(ProcStatus.self().fields().get("VmHWM")).replaceAll("\\D", ""));
    }

    private static void touch(ByteBuffer buffer) {
        for (int at = 0; at < buffer.capacity(); at += 4096) {
            buffer.put(at, (byte) 1);
        }
    }

    /** Leaves all buffers to the collector. */
    static final class Drop {
        private Drop() {}

        public static void main(String[] args) throws Exception {
            Binder binder = LocalMachine.open().binder();
            for (int i = 0; i < PIECES; i++) {
                touch(binder.allocate(PIECE, MemoryPolicy.local()).buffer());
            }
            System.out.println(peakKib());
        }
    }

    /** Prints how many mappings there were at most: of memory that is closed at once, and of memory with buffers. */
    static final class Small {
        private Small() {}

        public static void main(String[] args) throws IOException {
            Binder binder = LocalMachine.open().binder();
            System.out.println(
                    most(() -> binder.allocate(4096, MemoryPolicy.local()).close()));
            System.out.println(most(() -> {
                try (NativeMemory memory = binder.allocate(4096, MemoryPolicy.local())) {
                    memory.buffer().put(0, (byte) 1);
                }
            }));
        }

        private static int most(Runnable use) throws IOException {
            int most = 0;
            for (int i = 1; i <= 60_000; i++) {
                use.run();
                if (i % 2_000 == 0) {
                    most = Math.max(
                            most, Files.readAllLines(Path.of("/proc/self/maps")).size());
                }
            }
            return most;
        }
    }

    /** Closes all, where nothing but a full heap collects garbage. */
    static final class Close {
        private Close() {}

        public static void main(String[] args) throws Exception {
            Binder binder = LocalMachine.open().binder();
            List<ByteBuffer> kept = new ArrayList<>();
            NativeMemory last = binder.allocate(1, MemoryPolicy.local());
            for (int i = 0; i < PIECES; i++) {
                try (NativeMemory memory = binder.allocate(PIECE, MemoryPolicy.local())) {
                    kept.add(memory.buffer());
                    touch(kept.get(i));
                    last = memory;
                }
            }
            last.close();
            System.out.println(peakKib());
            System.out.println("read " + kept.get(0).get(0));
            try {
                last.buffer();
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    /** Takes more than there is. */
    static final class Keep {
        private Keep() {}

        public static void main(String[] args) {
            Binder binder = LocalMachine.open().binder();
            ByteBuffer direct = ByteBuffer.allocateDirect(PIECE);
            try (NativeMemory large = binder.allocate(3L << 30, MemoryPolicy.local())) {
                ByteBuffer end = large.buffer(large.sizeBytes() - 4096, 4096);
                end.put(4095, (byte) 7);
                NodeSet nodes = binder.rangeNodes(MemoryRange.of(end));
                System.out.println("larger than a buffer: " + (nodes.size() == 1 ? end.get(4095) : nodes));
                binder.allocate(100 * MIB, MemoryPolicy.local());
            } catch (BindingException e) {
                System.out.println(e.getMessage());
            }
            NativeMemory next = binder.allocate(100 * MIB, MemoryPolicy.local());
            System.out.println("after the close: " + next.sizeBytes() / MIB + " MiB");
            touch(direct);
        }
    }
}
