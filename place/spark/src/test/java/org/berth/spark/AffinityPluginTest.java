package org.berth.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real Spark in a JVM of its own, its threads read from /proc while tasks run. */
@Tag("cluster")
@Timeout(300)
class AffinityPluginTest {
    private static final String PLAN =
            "INFO AffinityPlugin: Berth: the %d slots of the plan for tasks; everything else stays as it is";

    @TempDir
    Path folder;

    private String allowed = "";
    private String first = "";
    private String second = "";

    @BeforeEach
    void needTwoCpus() {
        int[] cpus = Machine.requireCpus(2);
        allowed = Machine.cpuList();
        first = Integer.toString(cpus[0]);
        second = Integer.toString(cpus[1]);
    }

    @Test
    void keepsEachRunningTaskInASlotOfItsOwn() throws Exception {
        try (ForkedJob job = start("local[2]", plan(first, second), 0, "gate1", "gate2")) {
            for (int round = 1; round <= 2; round++) {
                assertThat(job.taskMasks(round)).containsExactlyInAnyOrder(first, second);
                job.open("gate" + round);
            }
            job.await("result 6", 1);
            assertIsGivenBack(job);
            double berthMillis = job.berthMillis();

            assertThat(job.end())
                    .containsExactly(
                            PLAN.formatted(2),
                            "INFO AffinityPlugin: Berth: 2 slots, 4 tasks, 0 of them shared a slot,"
                                    + " 0 failures to bind or restore");
            Matcher cost = Pattern.compile("started in \\d+ ms, ([\\d.]+) ms of CPU time"
                            + " \\([\\d.]+ % of this JVM's\\), [\\d.]+ [KM]iB allocated")
                    .matcher(String.join("\n", job.cost()));
            assertThat(cost.matches()).as("%s", job.cost()).isTrue();
            // The line says tenths of a millisecond.
            assertThat(Double.parseDouble(cost.group(1))).isGreaterThan(berthMillis - 0.1);
        }
    }

    @Test
    @Tag("one-jdk")
    void freesTheSlotsOfTasksThatFail() throws Exception {
        try (ForkedJob job = start("local[2,3]", plan(first, second), 2, "gate")) {
            assertThat(job.taskMasks(1)).containsExactlyInAnyOrder(first, second);
            job.open("gate");
            job.await("result 3", 1);
            assertIsGivenBack(job);

            assertThat(job.end())
                    .containsExactly(
                            PLAN.formatted(2),
                            "INFO AffinityPlugin: Berth: 2 slots, 4 tasks, 0 of them shared a slot,"
                                    + " 0 failures to bind or restore");
        }
    }

    @Test
    @Tag("one-jdk")
    void sharesASlotWhenThereAreTooFewAndReportsIt() throws Exception {
        try (ForkedJob job = start("local[2]", plan(second), 0, "gate")) {
            assertThat(job.taskMasks(1)).containsExactly(second, second);
            job.open("gate");
            job.await("result 3", 1);
            assertIsGivenBack(job);

            assertThat(job.end())
                    .containsExactly(
                            PLAN.formatted(1),
                            "WARN AffinityPlugin: Berth: more tasks at a time than this executor has slots: they share"
                                    + " the least used ones",
                            "INFO AffinityPlugin: Berth: 1 slots, 2 tasks, 1 of them shared a slot,"
                                    + " 0 failures to bind or restore");
        }
    }

    @Test
    void placesTheNewPagesOfATaskToo() throws Exception {
        Machine.requireNuma();
        Path plan = plan(first, second);
        Files.writeString(plan, Files.readString(plan).replace("memory local", "memory bind"));
        String node = Machine.requireMemoryNodes().get(0).toString();
        Files.writeString(plan, Files.readString(plan).replace("nodes= ", "nodes=" + node + " "));
        try (ForkedJob job = start("local[2]", plan, 0, "gate")) {
            for (int number = 0; number < 2; number++) {
                assertThat(job.memoryPolicies(job.task(number, 1))).containsExactly("bind:" + node);
            }
            job.open("gate");
            job.await("result 3", 1);
            assertIsGivenBack(job);
        }
    }

    @Test
    @Tag("one-jdk")
    void bindsNothingByDefaultWhereAllCpusAreEquallyNear() throws Exception {
        assumeTrue(nearestGroups() == 1, "this machine has several nodes, packages or last-level caches");
        List<String> options = List.of("-Dspark.master=local[2]", "-Dspark.berth.guard=off");
        try (ForkedJob job = ForkedJob.start(folder, options, 0, "gate")) {
            assertThat(job.taskMasks(1)).containsExactly(allowed, allowed);
            job.open("gate");
            job.await("result 3", 1);
            assertThat(job.end())
                    .containsExactly("INFO AffinityPlugin: Berth: level none: auto binds nothing here, because CPUs "
                            + allowed
                            + " are one package with one memory node and no several L3 caches, where the kernel loses"
                            + " nothing by migrating threads; level core keeps each task on a core of its own");
        }
    }

    @Test
    @Tag("one-jdk")
    void leavesALocalApplicationOfAFewSecondsAlone() throws Exception {
        List<String> options = List.of("-Dspark.master=local[2]", "-Dspark.berth.level=pu");
        try (ForkedJob job = ForkedJob.start(folder, options, 0, "gate")) {
            assertThat(job.taskMasks(1)).containsExactly(allowed, allowed);
            job.open("gate");
            job.await("result 3", 1);
            assertThat(job.end())
                    .containsExactly(
                            "INFO AffinityPlugin: Berth: the application ended before its tasks were bound, which is"
                                    + " 10 s after the first one has started; spark.berth.guard=off binds them at once");
        }
    }

    /** Spark creates a queue with a thread for the first shared listener, which then wakes for each task. */
    @Test
    @Tag("one-jdk")
    @Tag("release")
    void addsNoListenerThreadToSpark() throws Exception {
        int without = listenerThreads("-Dspark.plugins=", "alone");

        assertThat(listenerThreads("-Dspark.berth.level=auto", "together")).isEqualTo(without);
    }

    private int listenerThreads(String option, String gate) throws Exception {
        try (ForkedJob job = ForkedJob.start(folder, List.of("-Dspark.master=local[1]", option), 0, gate)) {
            job.task(0, 1);
            int threads = job.masks("spark-listener-").size();
            job.open(gate);
            job.await("result 3", 1);
            job.end();
            return threads;
        }
    }

    @Test
    void saysWhereTheAgentHasBoundItAndBindsNothingInside() throws Exception {
        assumeTrue(nearestGroups() == 1, "this machine has several nodes, packages or last-level caches");
        String both = CpuSet.parseList(first + "," + second).toString();
        String agent = "-agentpath:" + NativeLibrary.file() + "=cpus=" + both + ",strict";
        List<String> options = List.of("-Dspark.master=local[2]", "-Dspark.berth.guard=off", agent);
        try (ForkedJob job = ForkedJob.start(folder, options, 0, "gate")) {
            assertThat(job.taskMasks(1)).containsExactly(both, both);
            job.open("gate");
            job.await("result 3", 1);
            assertThat(job.end())
                    .singleElement()
                    .asString()
                    .startsWith("INFO AffinityPlugin: Berth: on CPUs " + both
                            + ", bound by the agent at the start; inside, level none: auto binds nothing here, because CPUs "
                            + both);
        }
    }

    /** Counts groups of CPUs with the same package, node and last level of cache; lines such as "0,0,,1,1,1,0". */
    private static long nearestGroups() {
        return Tool.output("lscpu", "-p=SOCKET,NODE,CACHE")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst(",,.*,", ","))
                .distinct()
                .count();
    }

    @Test
    void givesEachTaskAPuOfItsOwnWithoutAPlan() throws Exception {
        assertBoundByLevel("local[*]", 1, 2);
    }

    /** One at a time, and the account knows that it has both. */
    @Test
    @Tag("one-jdk")
    void givesATaskAsManyPusAsItCountsFor() throws Exception {
        assertBoundByLevel("local[2]", 2, 1);
    }

    private void assertBoundByLevel(String master, int taskCpus, int together) throws Exception {
        List<String> options = List.of(
                "-Dspark.master=" + master,
                "-Dspark.berth.level=pu",
                "-Dspark.task.cpus=" + taskCpus,
                "-Dspark.berth.guard=off");
        String both = CpuSet.parseList(first + "," + second).toString();
        List<String> command = List.of("taskset", "-c", both);
        try (ForkedJob job = ForkedJob.start(folder, command, options, 0, "gate")) {
            if (together == 2) {
                assertThat(job.taskMasks(1)).containsExactlyInAnyOrder(first, second);
            } else {
                assertThat(job.mask(job.task(0, 1))).isEqualTo(both);
                assertThat(job.masks(ForkedJob.BUSY)).hasSize(1);
            }
            job.open("gate");
            job.await("result 3", 1);
            assertThat(job.end())
                    .containsExactly(
                            "INFO AffinityPlugin: Berth: level pu on CPUs " + both
                                    + ": an executor of this size has the host for itself",
                            "INFO AffinityPlugin: Berth: 2 slots, 2 tasks, 0 of them shared a slot,"
                                    + " 0 failures to bind or restore");
        }
    }

    /** Threads of the pool that have nothing to do. */
    private void assertIsGivenBack(ForkedJob job) throws Exception {
        Await.until("threads with " + allowed, () -> {
            Map<Integer, String> pool = job.pool();
            return pool.size() >= 2 && pool.values().stream().allMatch(allowed::equals);
        });
    }

    private ForkedJob start(String master, Path plan, int failing, String... gates) throws IOException {
        return ForkedJob.start(
                folder, List.of("-Dspark.master=" + master, "-Dspark.berth.plan=" + plan), failing, gates);
    }

    private Path plan(String... cpus) throws IOException {
        return PlanText.write(folder, cpus);
    }
}
