package org.berth.numavm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJvm;
import org.berth.numavm.NumaMaps;
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.SeccompFilter;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Heaps whose pages have a policy of their own: pages by node as numa_maps counts them, the policy of each mapping of
 * the heap, and everything outside it near the CPUs. Where the heap is, the JVM itself writes into its log. */
@Tag(Guest.TAG)
@Tag("heap")
class HeapOnNodesTest {
    static final List<String> COLLECTORS =
            List.of("UseSerialGC", "UseParallelGC", "UseG1GC", "UseZGC", "UseShenandoahGC");

    /** 3:1, with pages of the first node in plenty. */
    private static final String POLICY = "heap-memory=weighted:3,1@";

    private static final Pattern HEAP = Pattern.compile("Heap address: 0x([0-9a-f]+), size: (\\d+) MB");

    /** Three stripes of a huge page for one of the other node. An area that is committed begins and ends anywhere in one. */
    private static final long CYCLE_BYTES = 8L << 20;

    /** A share of the pages, for proportions and for single pages at a wrong place. */
    private static final double TOLERANCE = 0.01;

    /** A full node has room for a third of it, and not for three quarters. */
    private static final long FULL_HEAP_BYTES = 192L << 20;

    private final int first = Guest.topology().nodeSet().first();
    private final int last = Guest.topology().nodeSet().last();
    private final CpuSet cpus = Guest.topology().numaNode(first).orElseThrow().cpuSet();

    private String agent(String heap) {
        return "-agentpath:" + Guest.library() + "=cpus=" + cpus + ",strict," + heap;
    }

    /**
     * Runs with UseNUMA, by which collectors ask the kernel for their own placement; thorough runs leave it out too.
     */
    static Stream<Boolean> numa() {
        return Guest.isThorough() ? Stream.of(true, false) : Stream.of(true);
    }

    @ParameterizedTest(name = "UseNUMA: {0}")
    @MethodSource("numa")
    void withWeights3To1EachCollectorsHeapIs3To1AndAllElseNearTheCpus(boolean numa) throws Exception {
        List<Path> logs = new ArrayList<>();
        List<GuestJvm> commands = new ArrayList<>();
        for (String collector : COLLECTORS) {
            logs.add(Files.createTempFile("berth", ".log"));
            // G1 maps the archive of classes over half a stripe, which is more than the tolerance.
            String archive = collector.equals("UseG1GC") ? "-Xshare:off" : "-Xshare:auto";
            GuestJvm jvm = GuestJvm.with(List.of("-XX:+" + collector, archive))
                    .option(log(logs.get(logs.size() - 1)))
                    .option(agent(POLICY + first + "," + last));
            commands.add(numa ? jvm.option("-XX:+UseNUMA") : jvm);
        }
        GuestJvm.together(commands, jvms -> {
            for (int i = 0; i < jvms.size(); i++) {
                GuestJvm.Running jvm = jvms.get(i);
                Heap heap = Heap.of(jvm.pid(), logs.get(i));
                String collector = COLLECTORS.get(i);
                long pages = NumaMaps.pagesOf(GuestJvm.HEAP_BYTES);
                Await.until(
                        collector + ": 3:1 of " + pages + " pages",
                        heap::look,
                        look -> look.isProportion(3, 1, first) && look.pages() >= pages * 9 / 10);
                assertThat(jvm.messages()).as("lines of the agent").isEqualTo(List.of());
                assertThat(heap.look().outside().keySet())
                        .as(collector + ": nodes of what is no heap")
                        .isEqualTo(Set.of(first));
                assertThat(ProcStatus.settledMasks(jvm.pid())).as("masks").isEqualTo(Set.of(cpus.toString()));
            }
        });
    }

    /** Those that commit in ways of their own; thorough runs take every collector. */
    static Stream<String> growing() {
        return Guest.isThorough() ? COLLECTORS.stream() : Stream.of("UseG1GC", "UseZGC");
    }

    /** The JVM commits by new mappings, which have no policy at first; ZGC's file keeps those of its parts. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("growing")
    void weights3To1HoldWhileTheHeapGrowsShrinksAndGrowsAgain(String collector) throws Exception {
        Path log = Files.createTempFile("berth", ".log");
        GuestJvm jvm = GuestJvm.withoutHeap(List.of("-XX:+" + collector, "-Xms16m", "-Xmx128m"))
                .option("-XX:MinHeapFreeRatio=5")
                .option("-XX:MaxHeapFreeRatio=10")
                // Shenandoah waits for five minutes by default; the others have no such flag.
                .option("-XX:+IgnoreUnrecognizedVMOptions")
                .option("-XX:+UnlockExperimentalVMOptions")
                .option("-XX:ShenandoahUncommitDelay=1000")
                .option(log(log))
                .option(agent(POLICY + first + "," + last))
                .option("-D" + GuestJvm.LIVE + "=true");
        GuestJvm.together(List.of(jvm), jvms -> {
            GuestJvm.Running running = jvms.get(0);
            Heap heap = Heap.of(running.pid(), log);
            for (int mib : List.of(8, 72, 4, 80)) {
                long least = NumaMaps.pagesOf((long) mib << 20);
                running.ask("live " + mib);
                Await.until(
                        collector + " with " + mib + " MiB alive: each page as its mapping says, 3:1",
                        heap::look,
                        look -> look.pages() >= least
                                && (collector.equals("UseZGC")
                                        ? look.isNearlyProportion(first)
                                        : look.isAsItsMappingsSay(first, last)));
            }
            assertThat(running.messages()).as("lines of the agent").isEqualTo(List.of());
        });
    }

    @Test
    void bindAndPreferLeaveTheHeapOnTheLastNodeAndAllElseNearTheCpus() throws Exception {
        for (String mode : List.of("bind", "prefer")) {
            Path log = Files.createTempFile("berth", ".log");
            GuestJvm jvm = GuestJvm.with(List.of("-XX:+UseG1GC"))
                    .option(log(log))
                    .option(agent("heap-memory=" + mode + "@" + last));
            GuestJvm.together(List.of(jvm), jvms -> {
                Heap heap = Heap.of(jvms.get(0).pid(), log);
                Await.until(
                        "heap " + mode,
                        heap::look,
                        look -> look.byNode().keySet().equals(Set.of(last)));
                assertThat(heap.look().outside().keySet())
                        .as("nodes of what is no heap")
                        .isEqualTo(Set.of(first));
            });
        }
    }

    /** Reserved huge pages take the first node's memory but for less than its part of the heap; the rest goes to the other node. */
    @Test
    @EnabledIf(value = "org.berth.numavm.Guest#isThorough", disabledReason = "takes a minute: before a release")
    void weights3To1OnAFullNodeTakeTheOtherOneAndTheJvmRuns() throws Exception {
        Path node = Path.of("/sys/devices/system/node/node" + first);
        Path reserved = node.resolve("hugepages/hugepages-2048kB/nr_hugepages");
        long killed = counter(Path.of("/proc/vmstat"), "oom_kill ");
        try {
            fill(node.resolve("meminfo"), reserved);
            Path log = Files.createTempFile("berth", ".log");
            GuestJvm jvm = GuestJvm.withoutHeap(List.of("-XX:+UseSerialGC", "-XX:+AlwaysPreTouch"))
                    .option("-Xms" + FULL_HEAP_BYTES)
                    .option("-Xmx" + FULL_HEAP_BYTES)
                    .option(log(log))
                    .option(agent(POLICY + first + "," + last));
            GuestJvm.together(List.of(jvm), jvms -> {
                Look look = Heap.of(jvms.get(0).pid(), log).look();
                System.out.println("heap on a full node: " + look.byNode());
                long all = NumaMaps.pagesOf(FULL_HEAP_BYTES);
                assertThat(look.pages() >= all * 9 / 10)
                        .as("pages of the heap: " + look.byNode())
                        .isTrue();
                assertThat(look.byNode().getOrDefault(first, 0L) < all * 6 / 10)
                        .as("node " + first + " was not full: " + look.byNode())
                        .isTrue();
                assertThat(jvms.get(0).messages()).as("lines of the agent").isEqualTo(List.of());
            });
        } finally {
            Files.writeString(reserved, "0");
        }
        assertThat(counter(Path.of("/proc/vmstat"), "oom_kill "))
                .as("processes killed for memory")
                .isEqualTo(killed);
    }

    /** Pages of files would make room for the heap, and scattered ones none for a huge page; the kernel keeps some 52 MB. */
    private static void fill(Path meminfo, Path reserved) throws IOException {
        long most = FULL_HEAP_BYTES / 3;
        long free = 0;
        for (int i = 0; i < 5; i++) {
            Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "3");
            Files.writeString(Path.of("/proc/sys/vm/compact_memory"), "1");
            free = counter(meminfo, "MemFree:") << 10;
            System.out.println("free on the node: " + free + " bytes, huge pages: "
                    + Files.readString(reserved).strip());
            if (free <= most) {
                return;
            }
            long more = free / (2 << 20);
            Files.writeString(
                    reserved, "" + (Long.parseLong(Files.readString(reserved).strip()) + more));
        }
        throw new AssertionError("the node still has " + free + " bytes");
    }

    private static long counter(Path file, String name) throws IOException {
        String line = Files.readAllLines(file).stream()
                .filter(each -> each.contains(name))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(line.replaceFirst(".*" + name + " *", "").replace(" kB", ""));
    }

    @Test
    void whereSeccompForbidsMbindOneLineReportsThatTheHeapHasNoPolicyAndTheJvmRuns() throws Exception {
        GuestJvm jvm = GuestJvm.with(List.of("-XX:+UseSerialGC"))
                .under(SeccompFilter.prefix(SeccompFilter.FAIL, "mbind").toArray(String[]::new))
                .option("-agentpath:" + Guest.library() + "=cpus=" + cpus + "," + POLICY + first + "," + last);
        GuestJvm.together(List.of(jvm), jvms -> {
            assertThat(jvms.get(0).processors()).as("CPUs that it sees").isEqualTo(cpus.size());
            assertThat(jvms.get(0).messages().size()).as("lines").isEqualTo(1);
            String line = jvms.get(0).messages().get(0);
            assertThat(line.contains("Operation not permitted") && line.endsWith("; heap-memory= is left out"))
                    .as(line)
                    .isTrue();
        });
    }

    private static String log(Path file) {
        return "-Xlog:gc+heap+coops=debug:file=" + file;
    }

    /** The location of a JVM's heap; for ZGC the mappings of its file. */
    private record Heap(long pid, long start, long end) {
        static Heap of(long pid, Path log) throws IOException {
            Matcher line = HEAP.matcher(Files.readString(log));
            if (!line.find()) {
                return new Heap(pid, 0, 0);
            }
            long start = Long.parseUnsignedLong(line.group(1), 16);
            return new Heap(pid, start, start + (Long.parseLong(line.group(2)) << 20));
        }

        /** The agent divides mappings while it is at work: what was read meanwhile would have parts of them only. */
        Look look() {
            try {
                List<String> before = mappings();
                while (true) {
                    Look look = look(before);
                    List<String> after = mappings();
                    if (after.equals(before)) {
                        return look;
                    }
                    before = after;
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private List<String> mappings() throws IOException {
            return Files.readAllLines(Path.of("/proc/" + pid + "/maps"));
        }

        private Look look(List<String> maps) throws IOException {
            Map<Long, Long> ends = new HashMap<>();
            Map<Long, Boolean> writable = new HashMap<>();
            for (String line : maps) {
                String[] words = line.split("[- ]", 4);
                long at = Long.parseUnsignedLong(words[0], 16);
                ends.put(at, Long.parseUnsignedLong(words[1], 16));
                writable.put(at, words[2].contains("w"));
            }
            Look look = new Look(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new AtomicLong());
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/numa_maps"))) {
                long at = Long.parseUnsignedLong(line.split(" ", 2)[0], 16);
                boolean file = line.contains(" file=/memfd:java_heap");
                boolean inside = file || (start <= at && at < end);
                // G1 maps the archive of classes into its heap: pages of a file, which other JVMs use too.
                boolean own = !line.contains(" file=") && writable.getOrDefault(at, false);
                if (inside && (file || own)) {
                    look.add(line, ends.getOrDefault(at, at) - at);
                } else if (!inside && !line.contains(" file=") && line.contains(" anon=")) {
                    NumaMaps.of(line).forEach((node, count) -> look.outside.merge(node, count, Long::sum));
                }
            }
            return look;
        }
    }

    /**
     * A heap at one moment.
     *
     * @param byNode its pages
     * @param outside pages of other anonymous memory
     * @param bytesByPolicy sizes of its mappings, by their policy
     * @param wrong pages at another node than their mapping prefers, and those of mappings without a policy
     */
    private record Look(
            Map<Integer, Long> byNode, Map<Integer, Long> outside, Map<String, Long> bytesByPolicy, AtomicLong wrong) {
        void add(String line, long bytes) {
            String policy = line.split(" ", 3)[1];
            bytesByPolicy.merge(policy, bytes, Long::sum);
            NumaMaps.of(line).forEach((node, count) -> {
                byNode.merge(node, count, Long::sum);
                wrong.addAndGet(policy.equals("prefer:" + node) ? 0 : count);
            });
        }

        long pages() {
            return byNode.values().stream().mapToLong(Long::longValue).sum();
        }

        boolean isProportion(int one, int other, int first) {
            double share = (double) byNode.getOrDefault(first, 0L) / Math.max(1, pages());
            return Math.abs(share - (double) one / (one + other)) <= TOLERANCE;
        }

        /** Policies of a file are not those of its mappings, which may be over several of its parts. */
        boolean isNearlyProportion(int first) {
            // Without generations, which are the default from JDK 23 on, ZGC has three views of its file: each page is
            // counted three times.
            int views = Runtime.version().feature() < 23 ? 3 : 1;
            return Math.abs(byNode.getOrDefault(first, 0L) - 0.75 * pages()) <= views * NumaMaps.pagesOf(CYCLE_BYTES);
        }

        /** Pages of a heap that is not full are where the collector wants them; so its mappings have the proportion. */
        boolean isAsItsMappingsSay(int first, int last) {
            long all =
                    bytesByPolicy.values().stream().mapToLong(Long::longValue).sum();
            double there = bytesByPolicy.getOrDefault("prefer:" + first, 0L);
            boolean known = bytesByPolicy.keySet().stream()
                    .allMatch(policy -> policy.equals("prefer:" + first) || policy.equals("prefer:" + last));
            return known && wrong.get() <= TOLERANCE * pages() && Math.abs(there - 0.75 * all) <= CYCLE_BYTES;
        }
    }
}
