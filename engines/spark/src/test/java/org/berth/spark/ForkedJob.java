package org.berth.spark;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@link WaitingJob} in a JVM of its own, looked at from outside through /proc. */
public final class ForkedJob implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final Path err;
    private final Path folder;
    private final List<String> seen = new ArrayList<>();

    private ForkedJob(Process process, Path err, Path folder) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.err = err;
        this.folder = folder;
    }

    /** Starts a job of as many rounds as there are gates: files in the folder that let the tasks of a round end. */
    static ForkedJob start(Path folder, List<String> jvmOptions, int failing, String... gates) throws IOException {
        return start(folder, List.of(), jvmOptions, failing, gates);
    }

    /** Starts it with a command in front of that of the JVM. */
    static ForkedJob start(Path folder, List<String> prefix, List<String> jvmOptions, int failing, String... gates)
            throws IOException {
        Path err = folder.resolve("err");
        List<String> command = new ArrayList<>(prefix);
        command.add(System.getProperty("java.home") + "/bin/java");
        // Half the processor time of a start with the default collector and compilers.
        command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-Dspark.plugins=" + AffinityPlugin.class.getName()));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), WaitingJob.class.getName()));
        command.add(Integer.toString(failing));
        command.add(String.join(
                ",",
                Stream.of(gates).map(gate -> folder.resolve(gate).toString()).toList()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
        builder.environment().put("BERTH_LEASES", folder.resolve("leases").toString());
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        Process process = builder.start();
        ThreadFiles.limit(process, 250);
        return new ForkedJob(process, err, folder);
    }

    /** Reads the job's output until a line comes for the given time since the start, first time 1. */
    void await(String line, int times) throws IOException {
        while (seen.stream().filter(line::equals).count() < times) {
            readLine(line);
        }
    }

    private void readLine(String wanted) throws IOException {
        String next = out.readLine();
        if (next == null) {
            throw new AssertionError(
                    "the job ended without '" + wanted + "'; it printed " + seen + " and " + Files.readString(err));
        }
        seen.add(next);
    }

    /** Waits until a task runs for the given time since the start, first time 1, and gives the kernel's id of its thread. */
    int task(int number, int times) throws IOException {
        String beginning = "running " + number + " in ";
        while (true) {
            List<String> lines =
                    seen.stream().filter(line -> line.startsWith(beginning)).toList();
            if (lines.size() >= times) {
                return Integer.parseInt(lines.get(times - 1).substring(beginning.length()));
            }
            readLine(beginning);
        }
    }

    /** Waits until two tasks run for the given time since the start, and gives the masks of their threads. */
    List<String> taskMasks(int times) throws IOException {
        return List.of(mask(task(0, times)), mask(task(1, times)));
    }

    /** See {@link ThreadFiles#mask}. */
    String mask(int tid) throws IOException {
        return ThreadFiles.mask(process.pid(), tid);
    }

    void open(String gate) throws IOException {
        Files.createFile(folder.resolve(gate));
    }

    /** See {@link ThreadFiles#masks}. */
    Map<Integer, String> masks(String comm) throws IOException {
        return ThreadFiles.masks(process.pid(), comm);
    }

    /** The memory policy that new pages of a thread get, as /proc/PID/task/TID/numa_maps shows it for most of them. */
    Set<String> memoryPolicies(int tid) throws IOException {
        Path maps = Path.of("/proc", Long.toString(process.pid()), "task", Integer.toString(tid), "numa_maps");
        try (Stream<String> lines = Files.lines(maps, StandardCharsets.ISO_8859_1)) {
            return lines.map(line -> line.split(" ", 3)[1]).collect(Collectors.toSet());
        }
    }

    public static String field(List<String> status, String name) {
        return ThreadFiles.field(status, name);
    }

    /** What the JVM has said about Berth so far. */
    List<String> said() throws IOException {
        try (Stream<String> lines = Files.lines(err)) {
            return lines.filter(line -> line.contains("Berth")).toList();
        }
    }

    /** Lets the JVM end, and gives its lines about Berth with the level first. */
    List<String> end() throws IOException, InterruptedException {
        process.getOutputStream().close();
        await("stopped", 1);
        if (process.waitFor() != 0) {
            throw new AssertionError("exit code " + process.exitValue() + ": " + Files.readString(err));
        }
        return said();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
