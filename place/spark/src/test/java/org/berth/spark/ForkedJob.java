package org.berth.spark;

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
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;

/** {@link WaitingJob} in a JVM of its own, looked at from outside through /proc. */
public final class ForkedJob implements AutoCloseable {
    /** The kernel's names, 15 characters, of "Executor task launch worker for task …" and "Executor task idle worker#…". */
    static final String BUSY = "Executor task l";

    private static final String COST = "INFO AffinityPlugin: Berth: its own cost: ";
    private static final String IDLE = "Executor task i";

    private final Child child;
    private final Path folder;
    private final List<String> seen = new ArrayList<>();

    private ForkedJob(Child child, Path folder) {
        this.child = child;
        this.folder = folder;
    }

    /** Starts a job of as many rounds as there are gates: files in the folder that let the tasks of a round end. */
    static ForkedJob start(Path folder, List<String> jvmOptions, int failing, String... gates) throws IOException {
        return start(folder, List.of(), jvmOptions, failing, gates);
    }

    /** Starts it with a command in front of that of the JVM. */
    static ForkedJob start(Path folder, List<String> prefix, List<String> jvmOptions, int failing, String... gates)
            throws IOException {
        String all =
                Stream.of(gates).map(gate -> folder.resolve(gate).toString()).collect(Collectors.joining(","));
        return new ForkedJob(
                ChildJvm.of(WaitingJob.class, Integer.toString(failing), all)
                        .under(prefix)
                        // Half the processor time of a start with the default collector and compilers.
                        .with("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                        .with("-Dspark.plugins=" + AffinityPlugin.class.getName())
                        .with(jvmOptions.toArray(String[]::new))
                        .environment("BERTH_LEASES", folder.resolve("leases").toString())
                        .environment("SPARK_LOCAL_IP", "127.0.0.1")
                        .start(),
                folder);
    }

    /** Reads the job's output until a line comes for the given time since the start, first time 1. */
    void await(String line, int times) throws IOException {
        while (seen.stream().filter(line::equals).count() < times) {
            seen.add(child.readLine());
        }
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
            seen.add(child.readLine());
        }
    }

    /** Waits until two tasks run for the given time since the start, and gives the masks of their threads. */
    List<String> taskMasks(int times) throws IOException {
        return List.of(mask(task(0, times)), mask(task(1, times)));
    }

    /** The affinity mask of a thread. */
    String mask(int tid) throws IOException {
        return ProcStatus.of(child.pid(), tid).cpus();
    }

    void open(String gate) throws IOException {
        Files.createFile(folder.resolve(gate));
    }

    /** A thread gets its idle name a moment after its task has ended. */
    Map<Integer, String> pool() throws IOException {
        Map<Integer, String> masks = masks(IDLE);
        masks.putAll(masks(BUSY));
        return masks;
    }

    /** The affinity masks of the threads of that name in the kernel. */
    Map<Integer, String> masks(String comm) throws IOException {
        return ProcStatus.masks(child.pid(), comm::equals);
    }

    /** The memory policy that new pages of a thread get, as /proc/PID/task/TID/numa_maps shows it for most of them. */
    Set<String> memoryPolicies(int tid) throws IOException {
        Path maps = Path.of("/proc", Long.toString(child.pid()), "task", Integer.toString(tid), "numa_maps");
        try (Stream<String> lines = Files.lines(maps, StandardCharsets.ISO_8859_1)) {
            return lines.map(line -> line.split(" ", 3)[1]).collect(Collectors.toSet());
        }
    }

    /** What the JVM has said about Berth so far. */
    List<String> said() {
        return child.errors().lines().filter(line -> line.contains("Berth")).toList();
    }

    long pid() {
        return child.pid();
    }

    /** Ends the JVM by a signal, and waits for it. */
    void signal(String name) throws Exception {
        Tool.output("kill", "-" + name, Long.toString(child.pid()));
        Await.until("the end by " + name, () -> !child.isAlive());
    }

    /** Lets the JVM end, and gives its lines about Berth with the level first, without the cost. */
    List<String> end() {
        child.finish().output();
        return said().stream().filter(line -> !line.startsWith(COST)).toList();
    }

    /** What the JVM that has ended said of Berth's own cost, without the words in front. */
    List<String> cost() {
        return said().stream()
                .filter(line -> line.startsWith(COST))
                .map(line -> line.substring(COST.length()))
                .toList();
    }

    /** CPU time that the kernel has counted for threads of Berth until now. */
    double berthMillis() throws IOException {
        long nanos = 0;
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(child.pid()), "task"))) {
            for (Path task : tasks.toList()) {
                if (Files.readString(task.resolve("comm")).startsWith("berth-")) {
                    nanos += Long.parseLong(
                            Files.readString(task.resolve("schedstat")).split(" ", 2)[0]);
                }
            }
        }
        return nanos / 1e6;
    }

    @Override
    public void close() {
        child.close();
    }
}
