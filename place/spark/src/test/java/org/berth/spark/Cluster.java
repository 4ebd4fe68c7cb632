package org.berth.spark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;

/** {@link ClusterJob} on a real cluster, looked at from outside: what it prints, its files, /proc. */
final class Cluster implements AutoCloseable {
    static final String EXECUTOR_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseParallelGC";

    private final Path folder;
    private final Map<String, Process> processes = new TreeMap<>();

    Cluster(Path folder) throws IOException {
        this.folder = folder;
        // Where Spark looks for its jars; they are on the class path.
        Files.createDirectories(folder.resolve("home/jars"));
    }

    /** Starts a JVM with the test's class path; its output goes to the file NAME.out. */
    Process java(String name, List<String> prefix, List<String> options, String... main) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(main));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(folder.resolve(name + ".out").toFile())
                .redirectError(folder.resolve(name + ".err").toFile())
                .directory(folder.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("SPARK_HOME", folder.resolve("home").toString());
        environment.put("SPARK_SCALA_VERSION", "2.13");
        environment.put("SPARK_LOCAL_IP", "127.0.0.1");
        environment.put("SPARK_LOCAL_HOSTNAME", "localhost");
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("BERTH_LEASES", folder.resolve("leases").toString());
        Process process = builder.start();
        processes.put(name, process);
        return process;
    }

    /** Starts the job and waits until Spark is there. */
    Process job(String name, List<String> prefix, String master, List<String> options) throws Exception {
        List<String> all = new ArrayList<>(List.of(
                "-Dspark.master=" + master,
                "-Dspark.plugins=" + AffinityPlugin.class.getName(),
                "-Dspark.executor.extraClassPath=" + System.getProperty("java.class.path"),
                "-Dspark.executor.memory=512m",
                "-Dspark.executor.extraJavaOptions=" + EXECUTOR_OPTIONS));
        all.addAll(options);
        Process job = java(name, prefix, all, ClusterJob.class.getName(), folder.toString());
        awaitLine(name, "ready");
        return job;
    }

    static void say(Process job, String line) throws IOException {
        job.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        job.getOutputStream().flush();
    }

    /** Waits for a line of a JVM's output; fails when the JVM has ended. */
    void awaitLine(String name, String line) throws Exception {
        Await.until(line + " of " + name, () -> {
            boolean ended = !Objects.requireNonNull(processes.get(name)).isAlive();
            if (lines(name + ".out").contains(line)) {
                return true;
            }
            if (ended) {
                throw new AssertionError(name + " has ended without '" + line + "': " + lines(name + ".err"));
            }
            return false;
        });
    }

    /** Waits like {@link #awaitLine} for a line with this beginning, and returns the rest of it. */
    String awaitBeginning(String name, String beginning) throws Exception {
        String[] rest = new String[1];
        Await.until(beginning + " of " + name, () -> {
            boolean ended = !Objects.requireNonNull(processes.get(name)).isAlive();
            rest[0] = lines(name + ".out").stream()
                    .filter(line -> line.startsWith(beginning) && line.endsWith("."))
                    .map(line -> line.substring(beginning.length(), line.length() - 1))
                    .findFirst()
                    .orElse("");
            if (rest[0].isEmpty() && ended) {
                throw new AssertionError(name + " has ended without '" + beginning + "': " + lines(name + ".err"));
            }
            return !rest[0].isEmpty();
        });
        return rest[0];
    }

    /** Waits until a JVM has ended, and has written all that it will. */
    void awaitEnd(String name) throws Exception {
        Await.until(
                "the end of " + name,
                () -> !Objects.requireNonNull(processes.get(name)).isAlive());
    }

    List<String> lines(String file) throws IOException {
        return Files.readAllLines(folder.resolve(file));
    }

    /** A task that runs: its process, and the kernel's id of its thread. */
    record Task(long pid, int tid) {
        /** The kernel's Cpus_allowed_list. */
        String mask() throws IOException {
            return ProcStatus.of(pid, tid).cpus();
        }
    }

    /** Waits until two tasks of a round run, and gives them by partition. */
    List<Task> running(String round) throws Exception {
        Await.until("two tasks of " + round, () -> tasks(round).size() == 2);
        return tasks(round);
    }

    private List<Task> tasks(String round) throws IOException {
        Map<Integer, Task> tasks = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String[] parts = file.getFileName().toString().split("-", -1);
                if (parts.length == 5 && parts[0].equals(round)) {
                    tasks.put(
                            Integer.valueOf(parts[1]), new Task(Long.parseLong(parts[3]), Integer.parseInt(parts[4])));
                }
            }
        }
        return List.copyOf(tasks.values());
    }

    void open(String gate) throws IOException {
        Files.createFile(folder.resolve(gate));
    }

    /** The lines about Berth in the logs of all executors. Only where those are: leases come and go meanwhile. */
    List<String> executorLines() throws IOException {
        List<String> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder.resolve("home"))) {
            for (Path file : files.filter(path -> path.endsWith("stderr")).toList()) {
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                // The last line may be half written.
                text.substring(0, text.lastIndexOf('\n') + 1)
                        .lines()
                        .filter(line -> line.contains("Berth"))
                        .forEach(all::add);
            }
        }
        return all;
    }

    @Override
    public void close() {
        List<ProcessHandle> executors = new ArrayList<>();
        for (Process process : processes.values()) {
            process.descendants().forEach(executors::add);
            process.destroyForcibly().onExit().join();
        }
        executors.forEach(ProcessHandle::destroyForcibly);
        executors.forEach(executor -> executor.onExit().join());
    }
}
