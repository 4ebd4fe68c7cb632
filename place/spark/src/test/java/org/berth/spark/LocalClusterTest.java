package org.berth.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.oracle.Await;
import org.berth.oracle.Cpuset;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One application on {@code local-cluster}, because a cluster takes longer to start than all that is tried on it. */
@Tag("cluster")
@Timeout(600)
class LocalClusterTest {
    @TempDir
    Path folder;

    private String first = "";
    private String second = "";

    private void needTwoCpus() throws Exception {
        String version = org.apache.spark.package$.MODULE$.SPARK_VERSION();
        assumeTrue(
                Runtime.version().feature() < 24 || !version.startsWith("4.0."),
                "the Hadoop client of Spark " + version + " does not run on JDK 24 and later");
        int[] cpus = Machine.requireCpus(2);
        first = Integer.toString(cpus[0]);
        second = Integer.toString(cpus[1]);
    }

    @Test
    void eachExecutorHasItsPartThroughAllThatHappensToIt() throws Exception {
        needTwoCpus();
        try (Cpuset cpuset = Cpuset.of(first + "," + second);
                Cluster cluster = new Cluster(folder)) {
            Process job = cluster.job(
                    "driver",
                    cpuset.prefix(),
                    "local-cluster[2,1,1024]",
                    List.of(
                            "-Dspark.berth.level=core",
                            "-Dspark.scheduler.barrier.maxConcurrentTasksCheck.interval=1s"));
            List<Long> before = oneCpuEach(cluster, job, "round", "one");
            cluster.open("one");
            cluster.awaitLine("driver", "round one [1, 2]");

            killedExecutorFreesItsPlace(cluster, job, before);
            cluster.open("two");
            cluster.awaitLine("driver", "round two [1, 2]");
            oneCpuEach(cluster, job, "barrier", "three");
            cpusetIsFollowedByRunningTasks(cluster, cpuset);
            cluster.open("three");
            cluster.awaitLine("driver", "barrier three [1, 2]");

            Cluster.say(job, "shuffle four");
            cluster.awaitLine("driver", "shuffle four [(0,166833), (1,166167), (2,166500)]");
            job.getOutputStream().close();
            cluster.awaitLine("driver", "stopped");
            cluster.awaitEnd("driver");
            assertSaysWhatHappened(cluster.executorLines());
            // To be copied: the options of the user and of the agent, without those that Spark adds.
            assertThat(cluster.lines("driver.err"))
                    .anyMatch(line -> line.contains(
                            " --conf 'spark.executor.extraJavaOptions=" + Cluster.EXECUTOR_OPTIONS + " -agentpath:/"));
        }
    }

    /** Of three executors on two cores two have leased the same one; the third has its own. */
    @Test
    @Tag("one-jdk")
    void executorsWithoutCoresOfTheirOwnAreNotBound() throws Exception {
        needTwoCpus();
        try (Cpuset cpuset = Cpuset.of(first + "," + second);
                Cluster cluster = new Cluster(folder)) {
            Process job = cluster.job(
                    "driver", cpuset.prefix(), "local-cluster[3,1,1024]", List.of("-Dspark.berth.level=core"));
            String both = mask(job.pid());
            Await.until("two of three executors on CPUs " + both, () -> {
                List<String> masks = executorMasks(job);
                return masks.size() == 3
                        && masks.stream().filter(both::equals).count() == 2
                        && masks.stream().anyMatch(mask -> mask.equals(first) || mask.equals(second));
            });
            Cluster.say(job, "round one");
            cluster.open("one");
            cluster.awaitLine("driver", "round one [1, 2]");
            job.getOutputStream().close();
            cluster.awaitEnd("driver");
            assertThat(cluster.executorLines())
                    .anyMatch(line -> line.contains("there are more executors than domains on this host"));
        }
    }

    private static List<String> executorMasks(Process job) throws Exception {
        List<String> masks = new ArrayList<>();
        for (ProcessHandle process : job.descendants().toList()) {
            if (process.info().command().orElse("").endsWith("/java")) {
                masks.add(mask(process.pid()));
            }
        }
        return masks;
    }

    /** Two executors run a task each; all threads of each have the same CPU, and another one than the other's. */
    private List<Long> oneCpuEach(Cluster cluster, Process job, String command, String name) throws Exception {
        Cluster.say(job, command + " " + name);
        Map<String, Long> domains = new TreeMap<>();
        for (Cluster.Task task : cluster.running(name)) {
            long pid = task.pid();
            // The plugin's own thread probes for a moment what the cpuset would allow.
            Await.until(
                    "process " + pid + " on one CPU",
                    () -> ProcStatus.masks(pid).values().stream().distinct().count() == 1);
            domains.put(task.mask(), pid);
        }
        assertThat(domains).containsOnlyKeys(first, second);
        assertThat(domains.values()).doesNotHaveDuplicates();
        return List.copyOf(domains.values());
    }

    private void killedExecutorFreesItsPlace(Cluster cluster, Process job, List<Long> before) throws Exception {
        long killed = before.get(0);
        long other = before.get(1);
        String freed = mask(killed);
        Tool.output("kill", "-9", Long.toString(killed));
        List<Long> after = oneCpuEach(cluster, job, "round", "two");
        assertThat(after).contains(other).doesNotContain(killed);
        long started = after.stream().filter(pid -> pid != other).findFirst().orElseThrow();
        assertThat(mask(started)).isEqualTo(freed);
    }

    /** The mask of any thread, since all of the process are bound. */
    private static String mask(long pid) throws Exception {
        return ProcStatus.of(pid).cpus();
    }

    private void cpusetIsFollowedByRunningTasks(Cluster cluster, Cpuset cpuset) throws Exception {
        List<Cluster.Task> tasks = cluster.running("three");
        cpuset.set(second);
        for (Cluster.Task task : tasks) {
            Await.until(
                    "tasks on " + second,
                    () -> ProcStatus.masks(task.pid()).values().stream().allMatch(second::equals));
        }
        // A kernel since 6.2 may do all this without the plugin, so each log must mention it.
        String narrowed = "to " + second + ": now on CPUs " + second;
        Await.until("both to notice", () -> lines(cluster, narrowed) == 2);
        cpuset.set(first + "," + second);
        Await.until("one CPU each again", () -> {
            List<String> all = new ArrayList<>();
            for (Cluster.Task task : tasks) {
                all.add(task.mask() + " " + mask(task.pid()));
            }
            String one = first + " " + first;
            String two = second + " " + second;
            return all.equals(List.of(one, two)) || all.equals(List.of(two, one));
        });
        Await.until("both to notice", () -> lines(cluster, "changed from " + second + " to ") == 2);
    }

    private static long lines(Cluster cluster, String part) throws Exception {
        return cluster.executorLines().stream()
                .filter(line -> line.contains(part))
                .count();
    }

    private void assertSaysWhatHappened(List<String> lines) {
        String reason = ", one of 2 domains: 2 executors of 1 CPUs fit on this host";
        assertThat(lines)
                .contains(
                        "INFO AffinityPlugin: Berth: level core on CPUs " + first + reason,
                        "INFO AffinityPlugin: Berth: level core on CPUs " + second + reason)
                .noneMatch(line -> line.startsWith("WARN") && !line.contains("now has one for all"))
                .noneMatch(line -> line.contains("slots, ") && !line.contains(" 0 of them shared a slot, 0 failures"));
    }
}
