package org.berth.spark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** What the kernel says of the threads of a process: /proc/PID/task. */
final class ThreadFiles {
    private static final long PATIENCE_NANOS = 200_000_000_000L;

    private ThreadFiles() {}

    /** The kernel's Cpus_allowed_list of every thread with that name (15 characters; all: empty), by thread id. */
    static Map<Integer, String> masks(long pid, String comm) throws IOException {
        Map<Integer, String> masks = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : tasks.toList()) {
                List<String> status;
                try {
                    status = Files.readAllLines(task.resolve("status"), StandardCharsets.ISO_8859_1);
                } catch (NoSuchFileException ended) {
                    continue;
                } catch (IOException e) {
                    if (String.valueOf(e.getMessage()).contains("No such process")) {
                        continue; // it ended while it was read
                    }
                    throw e;
                }
                if (comm.isEmpty() || field(status, "Name").equals(comm)) {
                    masks.put(Integer.valueOf(task.getFileName().toString()), field(status, "Cpus_allowed_list"));
                }
            }
        }
        return masks;
    }

    static String field(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name + ":"))
                .findFirst()
                .orElseThrow()
                .substring(name.length() + 1)
                .strip();
    }

    /** Waits for something that must come. */
    static void await(String what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("this did not come: " + what);
            }
            Thread.sleep(20);
        }
    }
}
