package org.berth.numavm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The threads of a process as /proc/PID/task shows them. */
final class Tasks {
    private Tasks() {}

    /** Their affinity masks as lists. */
    static Set<String> masks(long pid) throws IOException {
        Set<String> masks = new TreeSet<>();
        for (Path task : tasks(pid)) {
            for (String line : Files.readAllLines(task.resolve("status"))) {
                if (line.startsWith("Cpus_allowed_list:")) {
                    masks.add(line.substring(line.indexOf(':') + 1).strip());
                }
            }
        }
        return masks;
    }

    /**
     * Of all threads but those whose name begins so: Berth's own, which ask the kernel what the cpuset allows, have a mask
     * of all CPUs for the time of three system calls.
     */
    static Set<String> masksBut(long pid, String beginning) throws IOException {
        Set<String> masks = new TreeSet<>();
        for (Path task : tasks(pid)) {
            String status = Files.readString(task.resolve("status"), StandardCharsets.ISO_8859_1);
            if (!status.startsWith("Name:\t" + beginning)) {
                masks.add(status.replaceFirst("(?s).*\nCpus_allowed_list:\\s*(\\S+).*", "$1"));
            }
        }
        return masks;
    }

    /** How many threads have each name. */
    static Map<String, Integer> names(long pid) throws IOException {
        Map<String, Integer> names = new TreeMap<>();
        for (Path task : tasks(pid)) {
            names.merge(Files.readString(task.resolve("comm")).strip(), 1, Integer::sum);
        }
        return names;
    }

    /** Ids of the threads of that name, of which the kernel keeps 15 characters. */
    static List<Integer> named(long pid, String name) throws IOException {
        List<Integer> ids = new ArrayList<>();
        for (Path task : tasks(pid)) {
            if (name(task).equals(name)) {
                ids.add(Integer.valueOf(task.getFileName().toString()));
            }
        }
        return ids;
    }

    /** Empty when it has ended. */
    private static String name(Path task) {
        try {
            return Files.readString(task.resolve("comm")).strip();
        } catch (IOException ended) {
            return "";
        }
    }

    /** Of one thread; empty when it has ended. */
    static String mask(long pid, int tid) {
        Path status = Path.of("/proc/" + pid + "/task/" + tid + "/status");
        try {
            return Files.readString(status, StandardCharsets.ISO_8859_1)
                    .replaceFirst("(?s).*\nCpus_allowed_list:\\s*(\\S+).*", "$1");
        } catch (IOException ended) {
            return "";
        }
    }

    private static List<Path> tasks(long pid) throws IOException {
        try (var tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return tasks.toList();
        }
    }
}
