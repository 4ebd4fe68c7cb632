package org.berth.spark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What the kernel says of the threads of a process: /proc/PID/task. */
public final class ThreadFiles {
    private static final long PATIENCE_NANOS = 200_000_000_000L;

    private ThreadFiles() {}

    /** The kernel's Cpus_allowed_list of every thread with that name (15 characters; all: empty), by thread id. */
    public static Map<Integer, String> masks(long pid, String comm) throws IOException {
        return masks(pid, (String name) -> comm.isEmpty() || name.equals(comm));
    }

    /** The same of every thread whose name begins so. */
    public static Map<Integer, String> masksByBeginning(long pid, String comm) throws IOException {
        return masks(pid, (String name) -> name.startsWith(comm));
    }

    private static Map<Integer, String> masks(long pid, Predicate<String> wanted) throws IOException {
        Map<Integer, String> masks = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : tasks.toList()) {
                List<String> status;
                try {
                    status = Files.readAllLines(task.resolve("status"), StandardCharsets.ISO_8859_1);
                } catch (IOException e) {
                    if (Files.exists(task)) {
                        throw e;
                    }
                    continue; // it ended while it was read
                }
                if (wanted.test(field(status, "Name"))) {
                    masks.put(Integer.valueOf(task.getFileName().toString()), field(status, "Cpus_allowed_list"));
                }
            }
        }
        return masks;
    }

    /** The kernel's Cpus_allowed_list of one thread. */
    public static String mask(long pid, int tid) throws IOException {
        Path status = Path.of("/proc/" + pid + "/task/" + tid + "/status");
        return field(Files.readAllLines(status, StandardCharsets.ISO_8859_1), "Cpus_allowed_list");
    }

    /**
     * The kernel's id of the calling thread, for tasks to report which thread runs them: by its name alone a thread of
     * Spark's pool is still busy a moment after the end of its task is known, when the next task may run already.
     */
    public static int ownId() throws IOException {
        return Integer.parseInt(Files.readSymbolicLink(Path.of("/proc/thread-self"))
                .getFileName()
                .toString());
    }

    public static String field(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name + ":"))
                .findFirst()
                .orElseThrow()
                .substring(name.length() + 1)
                .strip();
    }

    /** Ends a process that hangs: a test that reads its output cannot be interrupted. */
    public static void limit(Process process, int seconds) {
        CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS).execute(process::destroyForcibly);
    }

    /** Waits for something that must come. */
    public static void await(String what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("this did not come: " + what);
            }
            Thread.sleep(20);
        }
    }
}
