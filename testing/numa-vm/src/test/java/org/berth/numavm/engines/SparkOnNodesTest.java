package org.berth.numavm.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.berth.numavm.Guest;
import org.berth.numavm.NumaMaps;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A real Spark application with as many executors as the guest has nodes, each told only the kind of its place; the kernel shows
 * where each one is, all the time.
 */
@Tag(Guest.TAG)
@Tag("spark")
class SparkOnNodesTest {
    private static final String EXECUTOR = "CoarseGrainedExecutorBackend";
    private static final String TASK = "Executor task";
    private static final Path HOME = Path.of("/tmp/spark-home");

    /** What was seen of an executor, from its first task thread on. */
    private static final class Seen {
        private final Set<String> masks = new TreeSet<>();
        private final Set<Integer> taskCpus = new TreeSet<>();
        private Map<Integer, Long> pages = new TreeMap<>();
        private int looks;
    }

    private static final Topology MACHINE = Guest.topology();
    private static final Map<Long, Seen> EXECUTORS = new TreeMap<>();
    private static volatile List<String> output = List.of();

    @BeforeAll
    static void runTheApplication() throws Exception {
        Process driver = start();
        Thread reader = new Thread(() -> {
            try (BufferedReader lines = driver.inputReader()) {
                output = lines.lines().toList();
            } catch (IOException e) {
                output = List.of(e.toString());
            }
        });
        reader.start();
        while (driver.isAlive()) {
            look();
            Thread.sleep(50);
        }
        reader.join();
        if (driver.exitValue() != 0) {
            LocalSpark.printLogs(HOME);
        }
    }

    private static Process start() throws IOException {
        int nodes = MACHINE.nodeSet().size();
        ProcessBuilder builder = LocalSpark.application(
                HOME,
                List.of(
                        "-Dspark.master=local-cluster[" + nodes + ",2,512]",
                        "-Dspark.driver.host=localhost",
                        "-Dspark.plugins=org.berth.spark.AffinityPlugin",
                        "-Dspark.executor.extraJavaOptions=" + LocalSpark.LEAN + " -agentpath:" + Guest.library()
                                + "=domain=numa,memory=bind,leases=/tmp/spark-leases"),
                "localhost");
        builder.environment().put("BERTH_LEASES", "/tmp/spark-leases");
        return builder.redirectError(HOME.resolve("stderr").toFile()).start();
    }

    private static void look() throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes
                    .filter(path -> path.getFileName().toString().matches("\\d+"))
                    .toList()) {
                lookAt(process);
            }
        }
    }

    private static void lookAt(Path process) {
        try {
            if (Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                    .contains(EXECUTOR)) {
                look(Long.parseLong(process.getFileName().toString()));
            }
        } catch (IOException | UncheckedIOException ended) {
            return;
        }
    }

    private static void look(long pid) throws IOException {
        Set<Integer> cpus = taskCpus(pid);
        if (cpus.isEmpty()) {
            return;
        }
        Seen seen = EXECUTORS.computeIfAbsent(pid, key -> new Seen());
        seen.taskCpus.addAll(cpus);
        seen.masks.addAll(
                ProcStatus.masks(pid, name -> !name.startsWith("berth-")).values());
        // Reading numa_maps walks all pages: not on every look.
        if (seen.looks++ % 20 == 0) {
            Map<Integer, Long> pages = NumaMaps.anonymous(pid);
            if (!pages.isEmpty()) {
                seen.pages = pages;
            }
        }
    }

    /** The CPUs that task threads are on or were on last: field 39 of /proc/PID/task/TID/stat, see proc(5). */
    private static Set<Integer> taskCpus(long pid) throws IOException {
        Set<Integer> cpus = new TreeSet<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks.toList()) {
                String stat = Files.readString(task.resolve("stat"), StandardCharsets.ISO_8859_1);
                int end = stat.lastIndexOf(')');
                if (stat.substring(stat.indexOf('(') + 1, end).startsWith(TASK)) {
                    cpus.add(Integer.valueOf(stat.substring(end + 2).split(" ", -1)[36]));
                }
            }
        }
        return cpus;
    }

    @Test
    void theJobGivesItsResult() {
        assertThat(output).anyMatch(line -> line.startsWith("berth-job-result="));
    }

    @Test
    void oneExecutorIsOnEachMemoryNode() {
        Map<Integer, Integer> users = new TreeMap<>();
        EXECUTORS.forEach((pid, seen) -> users.merge(node(seen), 1, Integer::sum));
        Map<Integer, Integer> expected = new TreeMap<>();
        for (int node : MACHINE.nodeSet().toArray()) {
            expected.put(node, 1);
        }
        assertThat(users).as("executors of each node").isEqualTo(expected);
    }

    /** The node that all masks of an executor are in; -1 when there is none. */
    private static int node(Seen seen) {
        CpuSet all = CpuSet.empty();
        for (String mask : seen.masks) {
            all = all.union(CpuSet.parseList(mask));
        }
        for (int node : MACHINE.nodeSet().toArray()) {
            if (MACHINE.numaNode(node).orElseThrow().cpuSet().containsAll(all)) {
                return node;
            }
        }
        return -1;
    }

    @Test
    void allThreadsOfAnExecutorKeepToItsNode() {
        assertThat(EXECUTORS.isEmpty()).as("no executor was seen").isFalse();
        EXECUTORS.forEach((pid, seen) -> assertThat(node(seen) >= 0)
                .as("masks " + seen.masks + " of executor " + pid + " in " + seen.looks + " looks")
                .isTrue());
    }

    @Test
    void noTaskIsEverSeenOffItsNode() {
        assertThat(EXECUTORS.isEmpty()).as("no executor was seen").isFalse();
        EXECUTORS.forEach((pid, seen) -> {
            CpuSet home = MACHINE.numaNode(node(seen)).orElseThrow().cpuSet();
            assertThat(seen.taskCpus.stream().allMatch(home::contains))
                    .as("CPUs " + seen.taskCpus + " of the tasks of executor " + pid + ", whose node has CPUs " + home)
                    .isTrue();
        });
    }

    @Test
    void allPagesOfAnExecutorAreOnItsNode() {
        assertThat(EXECUTORS.isEmpty()).as("no executor was seen").isFalse();
        EXECUTORS.forEach((pid, seen) -> assertThat(seen.pages.keySet())
                .as("nodes of the pages of executor " + pid)
                .isEqualTo(Set.of(node(seen))));
    }
}
