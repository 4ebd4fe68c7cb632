package org.berth.numavm.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJava;
import org.berth.numavm.GuestJvm;
import org.berth.numavm.MigrationTrace;
import org.berth.numavm.Nodes;
import org.berth.numavm.NumaMaps;
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code berth split} where a host has several nodes, or several L3 caches in a node: masks, heaps and flags of its JVMs, and
 * that none of their threads ever leaves its part.
 */
@Tag(Guest.TAG)
@Tag("split")
class SplitHostTest {
    private static final long TOUCHED_BYTES = 64 << 20;
    private static final long UNIT_BYTES = 16 << 20;

    /** More than CPUs in a part, so that a kernel that may migrate them does. */
    private static final int THREADS = 4;

    /** Leaves the emulated CPUs time for the programs that look at these threads. */
    private static final int WORK_MICROS = 200;

    /** Work that gives the kernel time to move threads from part to part; nothing else runs then. */
    private static final int MUCH_WORK_MICROS = 10_000;

    private static final int WATCH_SECONDS = 3;

    private static final Pattern READY = Pattern.compile(" *(\\d+) \\| processors (\\d+)");
    private static final Pattern FLAG = Pattern.compile(" *(\\d+) \\|\\s+\\S+\\s+(\\w+)\\s+=\\s+(\\S*).*");
    private static final Pattern HEAP = Pattern.compile("Heap address: 0x([0-9a-f]+), size: (\\d+) MB");
    private static final Pattern SEEN = Pattern.compile("\"between(?:Caches|Nodes)Seen\" : (\\d+)");
    private static final Pattern THREAD = Pattern.compile("\"tid\" : ");

    private final Topology machine = Guest.topology();
    private final String into = Guest.hasCachesInNodes() ? "l3" : "numa";
    private final List<Place> places = new ArrayList<>();

    /** The CPUs of a cache or node, and the node, as the kernel's files have them. */
    private record Place(CpuSet cpus, int node) {}

    /** A JVM of the split, and what it printed. */
    private record Part(long pid, int processors, Map<String, String> flags, String heapLog) {}

    @BeforeEach
    void parts() throws IOException {
        for (int node = machine.nodeSet().first();
                node >= 0;
                node = machine.nodeSet().next(node)) {
            CpuSet left = Nodes.cpus(node);
            while (!left.isEmpty()) {
                CpuSet part = Guest.hasCachesInNodes() ? Nodes.cache(left.first(), 3) : left;
                places.add(new Place(part, node));
                left = left.minus(part);
            }
        }
    }

    private interface Look {
        void at(List<Part> parts) throws Exception;
    }

    @Test
    void splitGivesEachJvmTheCpusMemoryAndFlagsOfItsPartWhichNoneLeaves() throws Exception {
        try (MigrationTrace trace = MigrationTrace.start()) {
            split(List.of(), WORK_MICROS, parts -> {
                Map<Integer, Integer> threads = new TreeMap<>();
                Set<String> masks = new HashSet<>();
                for (Part part : parts) {
                    Set<String> own = ProcStatus.settledMasks(part.pid());
                    assertThat(own.size()).as("masks of one JVM " + own).isEqualTo(1);
                    masks.addAll(own);
                    Place place = place(own.iterator().next());
                    checkFlags(part, place);
                    checkPages(part, place);
                    putThreads(threads, part);
                }
                assertThat(masks)
                        .as("masks of all JVMs")
                        .isEqualTo(places.stream()
                                .map(place -> place.cpus().toString())
                                .collect(Collectors.toSet()));
                // Its first thread was another program before: that one started elsewhere.
                threads.keySet()
                        .removeAll(parts.stream().map(part -> (int) part.pid()).toList());
                assertThat(left(trace, threads))
                        .as("migrations of other threads since their birth")
                        .isEqualTo(List.of());
                trace.clear();
                watch(parts.get(0));
                parts.forEach(part -> putThreads(threads, part));
                assertThat(left(trace, threads))
                        .as("migrations from part to part while watched")
                        .isEqualTo(List.of());
                assertThat(trace.read().isEmpty())
                        .as("the trace has migrations inside parts")
                        .isFalse();
            });
        }
    }

    /** Shows that the kernel's trace sees it. */
    @Test
    void splitUnboundLetsThreadsLeaveTheirPart() throws Exception {
        try (MigrationTrace trace = MigrationTrace.start()) {
            split(List.of("--unbound"), MUCH_WORK_MICROS, parts -> {
                Map<Integer, Integer> threads = new TreeMap<>();
                parts.forEach(part -> putThreads(threads, part));
                Await.until(
                        "a migration from part to part",
                        () -> !left(trace, threads).isEmpty());
            });
        }
    }

    /** Starts the JVMs, and ends them by a signal to the supervisor once they were looked at. */
    private void split(List<String> options, int micros, Look look) throws Exception {
        Path folder = Files.createTempDirectory("split");
        List<String> command = GuestJava.berthCommand(
                List.of("split", into.matches("\\d+") ? "--into" : "--domain", into, "--leases", folder + "/leases"));
        command.addAll(options);
        command.add("--");
        command.addAll(GuestJava.command());
        command.addAll(List.of("-Xms" + TOUCHED_BYTES, "-Xmx{heap}", "-XX:+AlwaysPreTouch", "-XX:+UseParallelGC"));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:-UseDynamicNumberOfGCThreads", "-XX:+PrintFlagsFinal"));
        command.add("-Xlog:gc+heap+coops=debug:file=" + folder + "/{i}.log");
        command.addAll(List.of("-D" + GuestJvm.WORKERS + "=" + THREADS, "-D" + GuestJvm.WORK_MICROS + "=" + micros));
        command.add(GuestJvm.Waiting.class.getName());
        Path errors = folder.resolve("errors");
        Process split =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        try (BufferedReader output = split.inputReader()) {
            List<Part> parts = parts(output, errors, folder);
            look.at(parts);
            List<ProcessHandle> all = split.descendants().toList();
            assertThat(all.size() >= parts.size()).as("only " + all).isTrue();
            split.destroy(); // SIGTERM
            assertThat(split.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("split ends")
                    .isTrue();
            assertThat(split.exitValue()).as("exit code of split").isEqualTo(128 + 15);
            Await.until("the end of " + all, () -> all.stream().noneMatch(ProcessHandle::isAlive));
        } finally {
            split.destroyForcibly().waitFor();
        }
    }

    private List<Part> parts(BufferedReader output, Path errors, Path folder) throws IOException {
        Map<Integer, Map<String, String>> flags = new TreeMap<>();
        Map<Integer, Integer> processors = new TreeMap<>();
        while (processors.size() < places.size()) {
            String line = output.readLine();
            assertThat(line != null)
                    .as("split has ended: " + Files.readString(errors))
                    .isTrue();
            Matcher ready = READY.matcher(line);
            Matcher flag = FLAG.matcher(line);
            if (ready.matches()) {
                processors.put(Integer.parseInt(ready.group(1)), Integer.parseInt(ready.group(2)));
            } else if (flag.matches()) {
                flags.computeIfAbsent(Integer.parseInt(flag.group(1)), index -> new TreeMap<>())
                        .put(flag.group(2), flag.group(3));
            }
        }
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            Matcher pid = Await.until("the PID of process " + i, pidOf(i, errors), Matcher::find);
            parts.add(new Part(
                    Long.parseLong(pid.group(1)),
                    processors.getOrDefault(i, 0),
                    flags.getOrDefault(i, Map.of()),
                    Files.readString(folder.resolve(i + ".log"))));
        }
        return parts;
    }

    private static Callable<Matcher> pidOf(int index, Path errors) {
        Pattern line = Pattern.compile("(?m)^berth: " + index + ": PID (\\d+),");
        return () -> line.matcher(Files.readString(errors));
    }

    private Place place(String mask) {
        return places.stream()
                .filter(place -> place.cpus().toString().equals(mask))
                .findFirst()
                .orElseThrow(() -> new AssertionError("mask " + mask + " is not one of " + places));
    }

    /** Half of what the part has of its node's memory, in whole 16 MiB. */
    private void checkFlags(Part part, Place place) throws IOException {
        long others =
                places.stream().filter(other -> other.node() == place.node()).count();
        long heap = Nodes.memoryBytes(place.node()) / others / 2 / UNIT_BYTES * UNIT_BYTES;
        String cpus = Integer.toString(place.cpus().size());
        assertThat(part.processors())
                .as("CPUs that a JVM sees")
                .isEqualTo(place.cpus().size());
        assertThat(part.flags().getOrDefault("ParallelGCThreads", ""))
                .as("ParallelGCThreads")
                .isEqualTo(cpus);
        assertThat(part.flags().getOrDefault("MaxHeapSize", ""))
                .as("MaxHeapSize")
                .isEqualTo(Long.toString(heap));
    }

    private static void checkPages(Part part, Place place) throws IOException {
        Matcher heap = HEAP.matcher(part.heapLog());
        assertThat(heap.find()).as("the heap's address in " + part.heapLog()).isTrue();
        long start = Long.parseUnsignedLong(heap.group(1), 16);
        long end = start + (Long.parseLong(heap.group(2)) << 20);
        Map<Integer, Long> pages = NumaMaps.between(part.pid(), start, end);
        assertThat(pages.keySet()).as("nodes of the heap's pages " + pages).isEqualTo(Set.of(place.node()));
        // The archive of classes may take some of it.
        assertThat(pages.getOrDefault(place.node(), 0L) >= NumaMaps.pagesOf(TOUCHED_BYTES))
                .as("pages " + pages)
                .isTrue();
        Map<Integer, Long> all = NumaMaps.anonymous(part.pid());
        assertThat(all.keySet()).as("nodes of all anonymous pages " + all).isEqualTo(Set.of(place.node()));
    }

    /**
     * Adds its threads with the place of each. Those named {@code berth-*} ask the kernel once a second what the cpuset allows,
     * with a mask of all CPUs for the time of three system calls.
     */
    private void putThreads(Map<Integer, Integer> threads, Part part) {
        int place = placeOf(CpuSet.parseList(ProcStatus.of(part.pid()).cpus()).first());
        for (int tid :
                ProcStatus.masks(part.pid(), name -> !name.startsWith("berth-")).keySet()) {
            threads.put(tid, place);
        }
    }

    private int placeOf(int cpu) {
        for (int i = 0; i < places.size(); i++) {
            if (places.get(i).cpus().contains(cpu)) {
                return i;
            }
        }
        throw new AssertionError("CPU " + cpu + " is in none of " + places);
    }

    /** The migrations of these threads from one part to another. */
    private List<MigrationTrace.Migration> left(MigrationTrace trace, Map<Integer, Integer> threads)
            throws IOException {
        return trace.read().stream()
                .filter(move -> threads.containsKey(move.tid()) && placeOf(move.from()) != placeOf(move.to()))
                .toList();
    }

    /** {@code berth watch} for one of them: it is a JVM that starts another one, which is slow here. */
    private static void watch(Part part) throws Exception {
        Path report = Files.createTempFile("watch", ".json");
        Path said = Files.createTempFile("watch", ".txt");
        List<String> command = GuestJava.berthCommand(List.of(
                "watch",
                "--no-live",
                "--duration",
                Integer.toString(WATCH_SECONDS),
                "--threads",
                "worker-*",
                "--json",
                report.toString(),
                Long.toString(part.pid())));
        Process watch = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(watch.waitFor()).as("exit code of watch").isEqualTo(0);
        String text = Files.readString(report, StandardCharsets.UTF_8);
        assertThat(THREAD.matcher(text).results().count()).as("threads watched").isEqualTo((long) THREADS);
        Set<String> seen =
                SEEN.matcher(text).results().map(count -> count.group(1)).collect(Collectors.toSet());
        assertThat(seen).as("migrations between caches and nodes by watch").isEqualTo(Set.of("0"));
    }
}
