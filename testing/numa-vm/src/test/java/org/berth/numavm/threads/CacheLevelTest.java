package org.berth.numavm.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJava;
import org.berth.numavm.GuestJvm;
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.ThreadRule;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Level l3 where a node has several L3 caches: the masks of a JVM's threads, and on which CPUs they ran, as the kernel
 * tells (/proc/PID/task/TID/stat), compared with what {@code berth watch} counts.
 */
@Tag(Guest.TAG)
@Tag("caches")
@EnabledIf("org.berth.numavm.Guest#hasCachesInNodes")
class CacheLevelTest {
    /** More than CPUs, so that a kernel that may migrate them does. */
    private static final int THREADS = 12;

    private static final String NAME = "worker-";
    private static final int WATCH_SECONDS = 5;
    /** Field 39 of stat (proc(5)), counted from behind the name, which may hold spaces. */
    private static final int PROCESSOR = 39 - 3;

    private static final Pattern SEEN = Pattern.compile("(\\d+) between last-level caches");

    private final Topology machine = Guest.topology();
    private final List<CpuSet> caches = machine.objects(ObjectType.L3_CACHE).stream()
            .map(TopologyObject::cpuSet)
            .toList();

    @ParameterizedTest(name = "at level {0}")
    @ValueSource(strings = {"l3-pack", "l3-spread"})
    void eachWorkerOfAJvmStaysInOneCache(String level) throws Exception {
        PlacementRequest request = PlacementRequest.of(
                        AffinityLevel.NONE, 1, machine.cpuSet().size())
                .withLevel(OrderedLevel.parse(level))
                .withRules(List.of(ThreadRule.of(NAME + "*")));
        PlacementPlan plan = PlacementPolicies.byLevel().plan(machine, request);
        Path file = Files.writeString(Files.createTempFile("berth", ".plan"), plan.toText());
        GuestJvm jvm = jvm().option("-agentpath:" + Guest.library() + "=plan=" + file + ",worker=0,strict");
        GuestJvm.together(List.of(jvm), jvms -> {
            long pid = jvms.get(0).pid();
            assertThat(jvms.get(0).messages()).as("lines of the agent").isEqualTo(List.of());
            Set<String> places = new HashSet<>();
            caches.forEach(cache -> places.add(cache.toString()));
            Map<Integer, String> masks = Await.until(
                    "a mask of one cache for each of " + THREADS + " threads",
                    () -> ProcStatus.masks(pid, name -> name.startsWith(NAME)),
                    found -> found.size() == THREADS && places.containsAll(found.values()));
            assertThat(Set.copyOf(masks.values())).as("caches in use").isEqualTo(places);
            Moves moves = watched(pid);
            assertThat(moves.most())
                    .as("caches of each thread, sampled " + moves.samples)
                    .isEqualTo(1);
            assertThat(moves.byWatch).as("migrations between caches by watch").isEqualTo(0);
        });
    }

    /** Shows that both counts see it. */
    @Test
    void theWorkersOfAnUnboundJvmDoNotStayInOneCache() throws Exception {
        GuestJvm.together(List.of(jvm()), jvms -> {
            Moves moves = watched(jvms.get(0).pid());
            assertThat(moves.most() > 1)
                    .as("a thread ran in several of the caches, sampled " + moves.samples)
                    .isTrue();
            assertThat(moves.byWatch > 0)
                    .as("watch counted migrations between caches")
                    .isTrue();
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
        List<String> command = GuestJava.berthCommand(List.of(
                "watch",
                "--no-live",
                "--duration",
                Integer.toString(WATCH_SECONDS),
                "--threads",
                NAME + "*",
                Long.toString(pid)));
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
        assertThat(watch.waitFor()).as("exit code of watch that said " + output).isEqualTo(0);
        Matcher count = SEEN.matcher(output);
        assertThat(count.find())
                .as("watch counts migrations between caches in " + output)
                .isTrue();
        assertThat(seen.size()).as("threads sampled").isEqualTo(THREADS);
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
