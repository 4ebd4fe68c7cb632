package org.berth.numavm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementPolicies;
import org.berth.placement.PlacementRequest;
import org.berth.placement.ThreadRule;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;

/**
 * Level l3 where a node has several L3 caches: the masks of a JVM's threads, and on which CPUs they ran, as the kernel
 * tells (/proc/PID/task/TID/stat), compared with what {@code berth watch} counts.
 */
final class CacheChecks {
    /** More than CPUs, so that a kernel that may migrate them does. */
    private static final int THREADS = 12;

    private static final String NAME = "worker-";
    private static final int WATCH_SECONDS = 5;
    /** Field 39 of stat (proc(5)), counted from behind the name, which may hold spaces. */
    private static final int PROCESSOR = 39 - 3;

    private static final Pattern SEEN = Pattern.compile("(\\d+) between last-level caches");

    private final Topology machine;
    private final Path library;
    private final List<CpuSet> caches;

    private CacheChecks(Topology machine, Path library) {
        this.machine = machine;
        this.library = library;
        this.caches = machine.objects(ObjectType.L3_CACHE).stream()
                .map(TopologyObject::cpuSet)
                .toList();
    }

    /** Does nothing where no node has several caches. */
    static void run(Checks checks, Topology machine, Path library) {
        CacheChecks own = new CacheChecks(machine, library);
        if (own.caches.size() <= machine.nodeSet().size()) {
            return;
        }
        for (String level : List.of("l3-pack", "l3-spread")) {
            checks.check("at level " + level + " each worker of a JVM stays in one L3 cache", () -> own.bound(level));
        }
        checks.check("the workers of an unbound JVM do not, which shows that both counts see it", own::unbound);
    }

    private void bound(String level) throws Exception {
        PlacementRequest request = PlacementRequest.of(
                        AffinityLevel.NONE, 1, machine.cpuSet().size())
                .withLevel(OrderedLevel.parse(level))
                .withRules(List.of(ThreadRule.of(NAME + "*")));
        PlacementPlan plan = PlacementPolicies.byLevel().plan(machine, request);
        Path file = Files.writeString(Files.createTempFile("berth", ".plan"), plan.toText());
        GuestJvm jvm = jvm().option("-agentpath:" + library + "=plan=" + file + ",worker=0,strict");
        GuestJvm.together(List.of(jvm), jvms -> {
            long pid = jvms.get(0).pid();
            Checks.same("lines of the agent", List.of(), jvms.get(0).messages());
            Set<String> places = new HashSet<>();
            caches.forEach(cache -> places.add(cache.toString()));
            Map<Integer, String> masks = Await.until(
                    "a mask of one cache for each of " + THREADS + " threads",
                    () -> ProcStatus.masks(pid, name -> name.startsWith(NAME)),
                    found -> found.size() == THREADS && places.containsAll(found.values()));
            Checks.same("caches in use", places, Set.copyOf(masks.values()));
            Moves moves = watched(pid);
            Checks.same("caches of each thread, sampled " + moves.samples, 1, moves.most());
            Checks.same("migrations between caches by watch", 0, moves.byWatch);
        });
    }

    private void unbound() throws Exception {
        GuestJvm.together(List.of(jvm()), jvms -> {
            Moves moves = watched(jvms.get(0).pid());
            Checks.holds("a thread ran in several of the caches, sampled " + moves.samples, moves.most() > 1);
            Checks.holds("watch counted migrations between caches", moves.byWatch > 0);
        });
    }

    private static GuestJvm jvm() {
        return GuestJvm.with(List.of("-XX:+UseSerialGC")).option("-D" + GuestJvm.WORKERS + "=" + THREADS);
    }

    /**
     * What was seen while {@code berth watch} ran.
     *
     * @param caches numbers of the caches in which each thread ran
     */
    private record Moves(Map<Integer, Set<Integer>> caches, int samples, int byWatch) {
        int most() {
            return caches.values().stream().mapToInt(Set::size).max().orElse(0);
        }
    }

    private Moves watched(long pid) throws Exception {
        List<String> command = new ArrayList<>(LiveChecks.java());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "org.berth.cli.Main", "watch"));
        command.addAll(List.of("--no-live", "--duration", Integer.toString(WATCH_SECONDS)));
        command.addAll(List.of("--threads", NAME + "*", Long.toString(pid)));
        Path said = Files.createTempFile("watch", ".txt");
        Process watch = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        Map<Integer, Set<Integer>> seen = new HashMap<>();
        int samples = 0;
        while (watch.isAlive()) {
            for (int tid : ProcStatus.masks(pid, name -> name.startsWith(NAME)).keySet()) {
                OptionalInt cpu = cpuOf(pid, tid);
                if (cpu.isPresent()) {
                    seen.computeIfAbsent(tid, key -> new HashSet<>()).add(cacheOf(cpu.getAsInt()));
                }
            }
            samples++;
            Thread.sleep(20);
        }
        String output = Files.readString(said, StandardCharsets.UTF_8);
        Checks.same("exit code of watch that said " + output, 0, watch.waitFor());
        Matcher count = SEEN.matcher(output);
        Checks.holds("watch counts migrations between caches in " + output, count.find());
        Checks.same("threads sampled", THREADS, seen.size());
        return new Moves(seen, samples, Integer.parseInt(count.group(1)));
    }

    private int cacheOf(int cpu) {
        for (int i = 0; i < caches.size(); i++) {
            if (caches.get(i).contains(cpu)) {
                return i;
            }
        }
        throw new AssertionError("CPU " + cpu + " is in no L3 cache");
    }

    private static OptionalInt cpuOf(long pid, int tid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/task/" + tid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return OptionalInt.of(Integer.parseInt(fields[PROCESSOR]));
        } catch (IOException ended) {
            return OptionalInt.empty();
        }
    }
}
