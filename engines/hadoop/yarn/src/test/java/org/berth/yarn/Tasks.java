package org.berth.yarn;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.berth.observation.ProcessArguments;

/** Other processes as /proc has them: nothing of what is tested takes part. */
final class Tasks {
    private static final int LOOKS_AGAIN = 300;

    private Tasks() {}

    /**
     * Cpus_allowed_list of all threads; empty when the process has ended. The agent's own thread asks the kernel once a
     * second what the cpuset allows, and has a mask of all CPUs for the time of three system calls: it is looked at again
     * when its mask is nobody else's.
     */
    static Set<String> masks(long pid) {
        Set<String> masks = new TreeSet<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            List<Path> own = new ArrayList<>();
            for (Path task : tasks) {
                if (comm(task).startsWith("berth-")) {
                    own.add(task);
                } else {
                    mask(task.resolve("status")).ifPresent(masks::add);
                }
            }
            for (Path task : own) {
                Optional<String> mask = mask(task.resolve("status"));
                for (int i = 0; i < LOOKS_AGAIN && mask.isPresent() && !masks.contains(mask.get()); i++) {
                    Thread.sleep(10);
                    mask = mask(task.resolve("status"));
                }
                mask.ifPresent(masks::add);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } catch (IOException | DirectoryIteratorException ended) {
            return masks;
        }
        return masks;
    }

    /** Cpus_allowed_list of those threads whose name in the kernel, of 15 characters, is this one. */
    static List<String> masks(long pid, String name) {
        List<String> masks = new ArrayList<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks) {
                if (comm(task).equals(name)) {
                    mask(task.resolve("status")).ifPresent(masks::add);
                }
            }
        } catch (IOException | DirectoryIteratorException ended) {
            return masks;
        }
        return masks;
    }

    /** Empty when that thread has ended. */
    private static String comm(Path task) {
        try {
            return Files.readString(task.resolve("comm")).strip();
        } catch (IOException ended) {
            return "";
        }
    }

    /** Of this process. */
    static String ownMask() {
        return mask(Path.of("/proc/self/status")).orElseThrow();
    }

    private static Optional<String> mask(Path status) {
        String key = "Cpus_allowed_list:";
        try {
            return Files.readAllLines(status, StandardCharsets.ISO_8859_1).stream()
                    .filter(line -> line.startsWith(key))
                    .map(line -> line.substring(key.length()).strip())
                    .findFirst();
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    /** Empty when it has ended. */
    static String commandLine(long pid) {
        try {
            return String.join(" ", ProcessArguments.of(pid));
        } catch (IOException ended) {
            return "";
        }
    }

    static Set<Long> pids() throws IOException {
        Set<Long> pids = new TreeSet<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            processes.forEach(
                    process -> pids.add(Long.valueOf(process.getFileName().toString())));
        }
        return pids;
    }
}
