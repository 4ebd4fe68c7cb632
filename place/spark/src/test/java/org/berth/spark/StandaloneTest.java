package org.berth.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Spark's standalone cluster: Master, Worker, driver and executors are processes of their own. */
@Tag("one-jdk")
@Tag("cluster")
@Tag("release")
@Timeout(600)
class StandaloneTest {
    @TempDir
    Path folder;

    private String first = "";
    private String second = "";

    @Test
    void executorsThatComeAndGoAndSlotsOfSparksOwn() throws Exception {
        int[] cpus = Machine.requireCpus(2);
        first = Integer.toString(cpus[0]);
        second = Integer.toString(cpus[1]);
        List<String> prefix =
                List.of("taskset", "-c", CpuSet.parseList(first + "," + second).toString());
        try (Cluster cluster = new Cluster(folder)) {
            cluster.java("master", List.of(), List.of(), MasterProcess.class.getName());
            String master = "spark://localhost:" + cluster.awaitBeginning("master", "port ");
            List<String> slots = List.of(
                    "-Dspark.worker.resource.cpuslot.amount=2",
                    "-Dspark.worker.resource.cpuslot.discoveryScript=" + script());
            worker(cluster, prefix, slots, "localhost", 2, master);
            // Spark starts the second copy of a slow task on another host only.
            worker(cluster, prefix, List.of(), "127.0.0.1", 1, master);

            executorsThatComeAndGo(cluster, master);
            slotsOfSparksOwn(cluster, master);
        }
    }

    private void worker(
            Cluster cluster, List<String> prefix, List<String> options, String host, int cores, String master)
            throws IOException {
        String work = folder.resolve("home/work-" + host).toString();
        String[] main = {"org.apache.spark.deploy.worker.Worker", "-h", host, "-c", Integer.toString(cores)};
        String[] rest = {"-m", "1g", "-d", work, "--webui-port", "0", master};
        cluster.java(
                "worker-" + host,
                prefix,
                options,
                Stream.of(main, rest).flatMap(Stream::of).toArray(String[]::new));
    }

    /** Dynamic allocation takes idle executors away, and new ones get the slots that they had. */
    private void executorsThatComeAndGo(Cluster cluster, String master) throws Exception {
        Process job = cluster.job(
                "dynamic",
                List.of(),
                master,
                List.of(
                        "-Dspark.executor.cores=1",
                        // A Worker has room for one: on which of two with a free core the Master starts a second is by
                        // chance.
                        "-Dspark.executor.memory=700m",
                        "-Dspark.berth.level=pu",
                        "-Dspark.speculation=true",
                        "-Dspark.speculation.interval=100ms",
                        "-Dspark.speculation.multiplier=1.1",
                        "-Dspark.speculation.quantile=0.5",
                        "-Dspark.dynamicAllocation.enabled=true",
                        "-Dspark.dynamicAllocation.shuffleTracking.enabled=true",
                        "-Dspark.dynamicAllocation.initialExecutors=2",
                        "-Dspark.dynamicAllocation.maxExecutors=2",
                        "-Dspark.dynamicAllocation.schedulerBacklogTimeout=1s",
                        "-Dspark.dynamicAllocation.executorIdleTimeout=2s"));
        List<Long> before = round(cluster, job, "dynamic", "one");
        Await.until(
                "the end of idle executors",
                () -> before.stream().noneMatch(pid -> Files.exists(Path.of("/proc/" + pid))));
        // Its slow task is killed when the copy has ended, and must have given its slot back.
        Cluster.say(job, "speculate two");
        cluster.awaitLine("dynamic", "speculate two [1, 2]");
        assertThat(round(cluster, job, "dynamic", "three")).doesNotContainAnyElementsOf(before);
        job.getOutputStream().close();
        cluster.awaitLine("dynamic", "stopped");
        // The Workers write what the executors say, when they come to it.
        Await.until(
                "the domains of four executors",
                () -> cluster.executorLines().stream()
                                .filter(line -> line.startsWith("INFO AffinityPlugin: Berth: level pu on CPUs "))
                                .count()
                        >= 4);
        assertThat(cluster.executorLines())
                .noneMatch(line -> line.contains("slots, ") && !line.contains(" 0 of them shared a slot, 0 failures"));
    }

    /** Without a level: configured slots are enough. */
    private void slotsOfSparksOwn(Cluster cluster, String master) throws Exception {
        Process job = cluster.job(
                "slots",
                List.of(),
                master,
                List.of(
                        "-Dspark.executor.cores=1",
                        "-Dspark.executor.resource.cpuslot.amount=1",
                        "-Dspark.task.resource.cpuslot.amount=1"));
        round(cluster, job, "slots", "four");
        job.getOutputStream().close();
        cluster.awaitLine("slots", "stopped");
        String given = ": given by Spark as cpuslot";
        Await.until(
                "the slots that Spark gave",
                () -> cluster.executorLines()
                        .containsAll(List.of(
                                "INFO AffinityPlugin: Berth: level pu on CPUs " + first + given,
                                "INFO AffinityPlugin: Berth: level pu on CPUs " + second + given)));
        assertThat(cluster.executorLines())
                .noneMatch(line -> line.startsWith("WARN") && !line.contains("now has one for all"));
    }

    /** Two tasks in two processes, each on its own CPU; gives the processes. */
    private List<Long> round(Cluster cluster, Process job, String driver, String name) throws Exception {
        Cluster.say(job, "round " + name);
        List<Cluster.Task> running = cluster.running(name);
        List<String> masks = new ArrayList<>();
        Set<Long> processes = new TreeSet<>();
        for (Cluster.Task task : running) {
            masks.add(task.mask());
            processes.add(task.pid());
        }
        assertThat(processes).hasSize(2);
        assertThat(masks).containsExactlyInAnyOrder(first, second);
        cluster.open(name);
        cluster.awaitLine(driver, "round " + name + " [1, 2]");
        return List.copyOf(processes);
    }

    private Path script() throws IOException {
        Path script = folder.resolve("berth-cpuslot.sh");
        try (InputStream in = AffinityPlugin.class.getResourceAsStream("/META-INF/berth/berth-cpuslot.sh")) {
            Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }
}
