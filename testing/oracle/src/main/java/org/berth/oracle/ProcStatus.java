package org.berth.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The status file of one thread as the kernel wrote it; see proc_pid_status(5).
 *
 * @param fields the text after the colon of each line, by the word before it
 */
public record ProcStatus(Map<String, String> fields) {
    public ProcStatus {
        fields = Map.copyOf(fields);
    }

    /** The leader of this process. */
    public static ProcStatus self() {
        return read(Path.of("/proc/self"));
    }

    /** The calling platform thread, or the carrier of the calling virtual thread. */
    public static ProcStatus callingThread() {
        return read(Path.of("/proc/thread-self"));
    }

    /**
     * The leader of a process.
     *
     * @throws UncheckedIOException when there is no such process
     */
    public static ProcStatus of(long pid) {
        return read(Path.of("/proc/" + pid));
    }

    /**
     * A thread of a process.
     *
     * @throws UncheckedIOException when there is no such thread
     */
    public static ProcStatus of(long pid, long tid) {
        return read(task(pid, tid));
    }

    /** The same; empty when there is no such thread. */
    public static Optional<ProcStatus> find(long pid, long tid) {
        return find(task(pid, tid));
    }

    /**
     * All threads of a process but those that ended meanwhile.
     *
     * @throws UncheckedIOException when there is no such process
     */
    public static List<ProcStatus> threads(long pid) {
        Path tasks = Path.of("/proc/" + pid + "/task");
        try (Stream<Path> all = Files.list(tasks)) {
            List<ProcStatus> threads = new ArrayList<>();
            all.forEach(task -> find(task).ifPresent(threads::add));
            return threads;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The affinity masks of all threads, by thread id. */
    public static Map<Integer, String> masks(long pid) {
        return masks(pid, name -> true);
    }

    /** The affinity masks of the threads with such a name, by thread id. */
    public static Map<Integer, String> masks(long pid, Predicate<String> name) {
        Map<Integer, String> masks = new TreeMap<>();
        for (ProcStatus thread : threads(pid)) {
            if (name.test(thread.name())) {
                masks.put(thread.tid(), thread.cpus());
            }
        }
        return masks;
    }

    /**
     * The affinity masks of all threads, once those named {@code berth-*} have one that others have as well: such a thread
     * asks the kernel once a second what the cpuset allows, and has a mask of all CPUs for the time of three system calls.
     *
     * @return empty when the process has ended
     */
    public static Set<String> settledMasks(long pid) {
        Set<String> masks = new TreeSet<>();
        Await.until("masks of process " + pid + " that its other threads have", () -> {
            Set<String> others = new TreeSet<>();
            masks.clear();
            for (ProcStatus thread : threadsIfAny(pid)) {
                masks.add(thread.cpus());
                if (!thread.name().startsWith("berth-")) {
                    others.add(thread.cpus());
                }
            }
            return others.isEmpty() || others.equals(masks);
        });
        return masks;
    }

    private static List<ProcStatus> threadsIfAny(long pid) {
        try {
            return threads(pid);
        } catch (UncheckedIOException ended) {
            return List.of();
        }
    }

    private static Path task(long pid, long tid) {
        return Path.of("/proc/" + pid + "/task/" + tid);
    }

    private static Optional<ProcStatus> find(Path task) {
        try {
            return Optional.of(read(task));
        } catch (UncheckedIOException e) {
            // The kernel answers ENOENT when the file is opened and ESRCH when it is read.
            if (e.getCause() instanceof NoSuchFileException || Files.notExists(task)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static ProcStatus read(Path task) {
        try {
            // A name is bytes, cut off after 15 of them: not always UTF-8.
            return parse(new String(Files.readAllBytes(task.resolve("status")), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text of a status file, which another program may have printed. */
    public static ProcStatus parse(String text) {
        Map<String, String> fields = new TreeMap<>();
        text.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.putIfAbsent(
                        line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        return new ProcStatus(fields);
    }

    /**
     * The text after the colon of a line.
     *
     * @throws AssertionError when there is no such line
     */
    public String field(String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new AssertionError("no " + name + " in " + fields);
        }
        return value;
    }

    /** The id of the thread. */
    public int tid() {
        return Integer.parseInt(field("Pid"));
    }

    /** The name in the kernel, at most 15 bytes. */
    public String name() {
        return field("Name");
    }

    /** The affinity mask as a list such as {@code 0-3,8}. */
    public String cpus() {
        return field("Cpus_allowed_list");
    }

    /** The memory nodes that the cpuset permits, as a list. */
    public String nodes() {
        return field("Mems_allowed_list");
    }
}
