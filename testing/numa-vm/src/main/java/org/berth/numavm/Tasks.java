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
    /** How the names of Berth's own threads begin. */
    static final String OWN = "berth-";

    /** In place of the name of a thread that has ended. */
    private static final String ENDED = "";

    private static final int LOOKS_AGAIN = 300;

    private Tasks() {}

    /**
     * Their affinity masks as lists. A thread of Berth's own asks the kernel once a second what the cpuset allows, and has a
     * mask of all CPUs for the time of three system calls: it is looked at again when its mask is nobody else's.
     */
    static Set<String> masks(long pid) throws IOException, InterruptedException {
        Set<String> masks = masksBut(pid, OWN);
        for (Path task : tasks(pid)) {
            if (name(task).startsWith(OWN)) {
                String mask = mask(task);
                for (int i = 0; i < LOOKS_AGAIN && !masks.contains(mask) && !mask.isEmpty(); i++) {
                    Thread.sleep(10);
                    mask = mask(task);
                }
                add(masks, mask);
            }
        }
        return masks;
    }

    /** Of all threads but those whose name begins so. */
    static Set<String> masksBut(long pid, String beginning) throws IOException {
        Set<String> masks = new TreeSet<>();
        for (Path task : tasks(pid)) {
            if (!name(task).startsWith(beginning)) {
                add(masks, mask(task));
            }
        }
        return masks;
    }

    private static void add(Set<String> masks, String mask) {
        if (!mask.isEmpty()) {
            masks.add(mask);
        }
    }

    /** How many threads have each name. */
    static Map<String, Integer> names(long pid) throws IOException {
        Map<String, Integer> names = new TreeMap<>();
        for (Path task : tasks(pid)) {
            names.merge(name(task), 1, Integer::sum);
        }
        names.remove(ENDED);
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

    private static String name(Path task) {
        try {
            return Files.readString(task.resolve("comm")).strip();
        } catch (IOException ended) {
            return ENDED;
        }
    }

    /** Of one thread; empty when it has ended. */
    static String mask(long pid, int tid) {
        return mask(Path.of("/proc/" + pid + "/task/" + tid));
    }

    private static String mask(Path task) {
        try {
            return Files.readString(task.resolve("status"), StandardCharsets.ISO_8859_1)
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
