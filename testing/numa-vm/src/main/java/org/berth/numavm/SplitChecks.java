package org.berth.numavm;

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
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;

/**
 * {@code berth split} where a host has several nodes, or several L3 caches in a node: masks, heaps and flags of its
 * JVMs, and that none of their threads ever leaves its part.
 */
final class SplitChecks {
    private static final long TOUCHED_BYTES = 64 << 20;
    private static final long UNIT_BYTES = 16 << 20;

    /** More than CPUs in a part, so that a kernel that may migrate them does. */
    private static final int THREADS = 4;

    /** Leaves the emulated CPUs time for the programs that look at these threads. */
    private static final int WORK_MICROS = 200;

    /** Enough work for the kernel to move threads from part to part; nothing else runs then. */
    private static final int MUCH_WORK_MICROS = 10_000;

    private static final int WATCH_SECONDS = 3;

    private static final Pattern READY = Pattern.compile(" *(\\d+) \\| processors (\\d+)");
    private static final Pattern FLAG = Pattern.compile(" *(\\d+) \\|\\s+\\S+\\s+(\\w+)\\s+=\\s+(\\S*).*");
    private static final Pattern HEAP = Pattern.compile("Heap address: 0x([0-9a-f]+), size: (\\d+) MB");
    private static final Pattern SEEN = Pattern.compile("\"between(?:Caches|Nodes)Seen\" : (\\d+)");
    private static final Pattern THREAD = Pattern.compile("\"tid\" : ");

    private final String into;
    private final List<Place> places;

    /** The CPUs of a cache or node, and the node, as the kernel's files have them. */
    private record Place(CpuSet cpus, int node) {}

    /** A JVM of the split, and what it printed. */
    private record Part(long pid, int processors, Map<String, String> flags, String heapLog) {}

    private SplitChecks(Topology machine) throws IOException {
        boolean caches = isAmongCaches(machine);
        this.into = caches ? "l3" : "numa";
        this.places = new ArrayList<>();
        for (int node = machine.nodeSet().first();
                node >= 0;
                node = machine.nodeSet().next(node)) {
            CpuSet left = Nodes.cpus(node);
            while (!left.isEmpty()) {
                CpuSet part = caches ? Nodes.cache(left.first(), 3) : left;
                places.add(new Place(part, node));
                left = left.minus(part);
            }
        }
    }

    /** Whether a node has several L3 caches. */
    static boolean isAmongCaches(Topology machine) {
        return machine.objects(ObjectType.L3_CACHE).size() > machine.nodeSet().size();
    }

    static void run(Checks checks, Topology machine) {
        try {
            SplitChecks own = new SplitChecks(machine);
            String name = "split --into " + own.into;
            checks.check(
                    name + " gives each JVM the CPUs, memory and flags of its part, which none leaves", own::bound);
            checks.check(name + " --unbound does not, which shows that the kernel's trace sees it", own::unbound);
        } catch (IOException e) {
            checks.check("the caches of this machine are known", () -> {
                throw e;
            });
        }
    }

    private interface Look {
        void at(List<Part> parts) throws Exception;
    }

    private void bound() throws Exception {
        try (MigrationTrace trace = MigrationTrace.start()) {
            split(List.of(), WORK_MICROS, parts -> {
                Map<Integer, Integer> threads = new TreeMap<>();
                Set<String> masks = new HashSet<>();
                for (Part part : parts) {
                    Set<String> own = ProcStatus.settledMasks(part.pid());
                    Checks.same("masks of one JVM " + own, 1, own.size());
                    masks.addAll(own);
                    Place place = place(own.iterator().next());
                    checkFlags(part, place);
                    checkPages(part, place);
                    putThreads(threads, part);
                }
                Checks.same(
                        "masks of all JVMs",
                        places.stream().map(place -> place.cpus().toString()).collect(Collectors.toSet()),
                        masks);
                // Its first thread was another program before: that one started elsewhere.
                threads.keySet()
                        .removeAll(parts.stream().map(part -> (int) part.pid()).toList());
                Checks.same("migrations of other threads since their birth", List.of(), left(trace, threads));
                trace.clear();
                watch(parts.get(0));
                parts.forEach(part -> putThreads(threads, part));
                Checks.same("migrations from part to part while watched", List.of(), left(trace, threads));
                Checks.holds(
                        "the trace has migrations inside parts",
                        !trace.read().isEmpty());
            });
        }
    }

    private void unbound() throws Exception {
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
        List<String> command = new ArrayList<>(LiveChecks.java());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "org.berth.cli.Main", "split"));
        command.addAll(List.of("--into", into, "--leases", folder + "/leases"));
        command.addAll(options);
        command.add("--");
        command.addAll(LiveChecks.java());
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
            Checks.holds("only " + all, all.size() >= parts.size());
            split.destroy(); // SIGTERM
            Checks.holds("split ends", split.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS));
            Checks.same("exit code of split", 128 + 15, split.exitValue());
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
            Checks.holds("split has ended: " + Files.readString(errors), line != null);
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
                .orElseThrow(() -> new AssertionError("mask " + mask + " is none of " + places));
    }

    /** Half of what the part has of its node's memory, in whole 16 MiB. */
    private void checkFlags(Part part, Place place) throws IOException {
        long others =
                places.stream().filter(other -> other.node() == place.node()).count();
        long heap = Nodes.memoryBytes(place.node()) / others / 2 / UNIT_BYTES * UNIT_BYTES;
        String cpus = Integer.toString(place.cpus().size());
        Checks.same("CPUs that a JVM sees", place.cpus().size(), part.processors());
        Checks.same("ParallelGCThreads", cpus, part.flags().getOrDefault("ParallelGCThreads", ""));
        Checks.same("MaxHeapSize", Long.toString(heap), part.flags().getOrDefault("MaxHeapSize", ""));
    }

    private static void checkPages(Part part, Place place) throws IOException {
        Matcher heap = HEAP.matcher(part.heapLog());
        Checks.holds("the heap's address in " + part.heapLog(), heap.find());
        long start = Long.parseUnsignedLong(heap.group(1), 16);
        long end = start + (Long.parseLong(heap.group(2)) << 20);
        Map<Integer, Long> pages = NumaMaps.between(part.pid(), start, end);
        Checks.same("nodes of the heap's pages " + pages, Set.of(place.node()), pages.keySet());
        // The archive of classes may take some of it.
        Checks.holds("pages " + pages, pages.getOrDefault(place.node(), 0L) >= NumaMaps.pagesOf(TOUCHED_BYTES));
        Map<Integer, Long> all = NumaMaps.anonymous(part.pid());
        Checks.same("nodes of all anonymous pages " + all, Set.of(place.node()), all.keySet());
    }

    /**
     * Adds its threads with the place of each. Those named {@code berth-*} ask the kernel once a second what the cpuset
     * allows, with a mask of all CPUs for the time of three system calls.
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
        List<String> command = new ArrayList<>(LiveChecks.java());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "org.berth.cli.Main", "watch"));
        command.addAll(List.of("--no-live", "--duration", Integer.toString(WATCH_SECONDS)));
        command.addAll(List.of("--threads", "worker-*", "--json", report.toString(), Long.toString(part.pid())));
        Process watch = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        Checks.same("exit code of watch", 0, watch.waitFor());
        String text = Files.readString(report, StandardCharsets.UTF_8);
        Checks.same(
                "threads watched",
                (long) THREADS,
                THREAD.matcher(text).results().count());
        Set<String> seen =
                SEEN.matcher(text).results().map(count -> count.group(1)).collect(Collectors.toSet());
        Checks.same("migrations between caches and nodes by watch", Set.of("0"), seen);
    }
}
