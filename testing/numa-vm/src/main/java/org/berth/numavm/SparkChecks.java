package org.berth.numavm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.berth.binding.LocalMachine;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * A real Spark application (org.berth.jobs.GroupBy, jars in /spark/jars) with as many executors as the guest has nodes,
 * each told only the kind of its place; the kernel shows where each one is, all the time.
 */
public final class SparkChecks {
    private static final String EXECUTOR = "CoarseGrainedExecutorBackend";
    private static final String TASK = "Executor task";
    private static final Path HOME = Path.of("/tmp/spark-home");
    static final String LEAN = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    /** What was seen of an executor, from its first task thread on. */
    private static final class Seen {
        private final Set<String> masks = new TreeSet<>();
        private final Set<Integer> taskCpus = new TreeSet<>();
        private Map<Integer, Long> pages = new TreeMap<>();
        private int looks;
    }

    private final Topology machine;
    private final Path library;
    private final Map<Long, Seen> executors = new TreeMap<>();
    private List<String> output = List.of();

    private SparkChecks(Topology machine, Path library) {
        this.machine = machine;
        this.library = library;
    }

    /** Prints a line for each check; the exit code is 0 when all hold. The argument is the path of libberth.so. */
    public static void main(String[] arguments) throws Exception {
        Checks checks = new Checks("[JDK " + Runtime.version().feature() + "] Spark: ");
        SparkChecks spark = new SparkChecks(LocalMachine.open().topology(), Path.of(arguments[0]));
        spark.run();
        checks.check("the job gives its result", () -> {
            Checks.holds(
                    "no result in " + spark.output,
                    spark.output.stream().anyMatch(line -> line.startsWith("berth-job-result=")));
        });
        checks.check("one executor on each memory node", spark::oneOnEachNode);
        checks.check("all threads of an executor keep to its node", spark::threadsKeepToTheirNode);
        checks.check("no task is ever seen off its node", spark::tasksKeepToTheirNode);
        checks.check("all pages of an executor are on its node", spark::pagesAreAtHome);
        System.exit(checks.finish());
    }

    private void run() throws Exception {
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
            printLogs(HOME);
        }
    }

    private Process start() throws IOException {
        int nodes = machine.nodeSet().size();
        ProcessBuilder builder = application(
                HOME,
                List.of(
                        "-Dspark.master=local-cluster[" + nodes + ",2,512]",
                        "-Dspark.driver.host=localhost",
                        "-Dspark.plugins=org.berth.spark.AffinityPlugin",
                        "-Dspark.executor.extraJavaOptions=" + LEAN + " -agentpath:" + library
                                + "=domain=numa,memory=bind,leases=/tmp/spark-leases"),
                "localhost");
        builder.environment().put("BERTH_LEASES", "/tmp/spark-leases");
        return builder.redirectError(HOME.resolve("stderr").toFile()).start();
    }

    /**
     * A job on a local cluster, as a process of its own.
     *
     * @param home its folder, which gets the executors' logs
     * @param settings options of its JVM
     * @param host what Spark's ports are bound to
     */
    static ProcessBuilder application(Path home, List<String> settings, String host) throws IOException {
        Files.createDirectories(home.resolve("jars"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Spark wants 450 MB; what these JVMs compile is not worth the second compiler under TCG.
        command.addAll(List.of(LEAN.split(" ", -1)));
        command.addAll(List.of(
                "-Xmx512m",
                "-Dspark.executor.memory=512m",
                "-Dspark.ui.enabled=false",
                "-Dspark.network.timeout=600s",
                "-Dspark.executor.extraClassPath=/spark/jars/*"));
        command.addAll(settings);
        command.addAll(List.of("-cp", "/spark/jars/*", "org.berth.jobs.GroupBy", "--scale", "1", "--iterations", "1"));
        ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_IP", host.equals("localhost") ? "127.0.0.1" : host);
        builder.environment().put("SPARK_LOCAL_HOSTNAME", host);
        return builder;
    }

    private void look() throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes
                    .filter(path -> path.getFileName().toString().matches("\\d+"))
                    .toList()) {
                lookAt(process);
            }
        }
    }

    private void lookAt(Path process) {
        try {
            if (Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                    .contains(EXECUTOR)) {
                look(Long.parseLong(process.getFileName().toString()));
            }
        } catch (IOException | UncheckedIOException ended) {
            return;
        }
    }

    private void look(long pid) throws IOException {
        Set<Integer> cpus = taskCpus(pid);
        if (cpus.isEmpty()) {
            return;
        }
        Seen seen = executors.computeIfAbsent(pid, key -> new Seen());
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

    private void oneOnEachNode() {
        Map<Integer, Integer> users = new TreeMap<>();
        executors.forEach((pid, seen) -> users.merge(node(seen), 1, Integer::sum));
        Map<Integer, Integer> expected = new TreeMap<>();
        for (int node : machine.nodeSet().toArray()) {
            expected.put(node, 1);
        }
        Checks.same("executors of each node", expected, users);
    }

    /** The node that all masks of an executor are in; -1 when there is none. */
    private int node(Seen seen) {
        CpuSet all = CpuSet.empty();
        for (String mask : seen.masks) {
            all = all.union(CpuSet.parseList(mask));
        }
        for (int node : machine.nodeSet().toArray()) {
            if (machine.numaNode(node).orElseThrow().cpuSet().containsAll(all)) {
                return node;
            }
        }
        return -1;
    }

    private void threadsKeepToTheirNode() {
        Checks.holds("no executor was seen", !executors.isEmpty());
        executors.forEach((pid, seen) -> Checks.holds(
                "masks " + seen.masks + " of executor " + pid + " in " + seen.looks + " samples", node(seen) >= 0));
    }

    private void tasksKeepToTheirNode() {
        Checks.holds("no executor was seen", !executors.isEmpty());
        executors.forEach((pid, seen) -> {
            CpuSet home = machine.numaNode(node(seen)).orElseThrow().cpuSet();
            Checks.holds(
                    "CPUs " + seen.taskCpus + " of the tasks of executor " + pid + ", whose node has CPUs " + home,
                    seen.taskCpus.stream().allMatch(home::contains));
        });
    }

    private void pagesAreAtHome() {
        Checks.holds("no executor was seen", !executors.isEmpty());
        executors.forEach((pid, seen) ->
                Checks.same("nodes of the pages of executor " + pid, Set.of(node(seen)), seen.pages.keySet()));
    }

    static void printLogs(Path home) throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.filter(path -> path.endsWith("stderr")).toList()) {
                System.out.println("guest: " + file);
                Files.readAllLines(file).forEach(System.out::println);
            }
        }
    }
}
