package org.berth.observation;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import org.berth.observation.internal.ProcFile;
import org.berth.observation.internal.ProcText;
import org.berth.observation.internal.ReadBuffer;
import org.berth.topology.CpuSet;

/**
 * Reads what the threads of one process do, from {@code /proc/<pid>/task}. No privilege is needed for a process of the
 * same user, and nothing in the watched process changes: it is not stopped, not even for a moment.
 *
 * <p>One sample of a JVM with 64 threads, a few of them busy, takes 0.5 to 0.7 ms of CPU time (two virtual CPUs, all
 * caches cold, every 5 to 50 ms); two thirds of that is the kernel's. Threads that end while they are read are left out.
 * Two files per thread stay open for the first {@value #KEPT_THREADS} threads; close the sampler to free them.
 *
 * <p><b>Thread safety</b>: none; one thread at a time.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html">proc_pid_stat(5)</a>
 * @since 0.1.0
 */
public final class ThreadSampler implements AutoCloseable {
    /** The allowed CPUs of a thread that does not run are read again after this number of samples. */
    public static final int ALLOWED_MAX_AGE_SAMPLES = 8;

    private static final int KEPT_THREADS = 400;

    private final long pid;
    private final Path process;
    private final File tasks;
    private final TaskReader.Sources sources;
    private final Map<Integer, TaskReader> readers = new HashMap<>();
    private final Map<String, CpuSet> knownSets = new HashMap<>();
    private final ReadBuffer buffer = new ReadBuffer();
    /** Kept open, because PIDs are reused: after the end of the process a read fails. */
    private final ProcFile name;

    private final boolean named;
    private boolean closed;

    private ThreadSampler(long pid, Path procRoot) {
        this.pid = pid;
        this.process = procRoot.resolve(Long.toString(pid));
        this.tasks = process.resolve("task").toFile();
        this.name = new ProcFile(process.resolve("comm").toString(), true);
        this.named = hasName();
        this.sources = findSources();
    }

    /**
     * A sampler of a process of this machine.
     *
     * @throws NoSuchProcessException when there is none
     * @throws ObservationException when it may not be inspected
     */
    public static ThreadSampler of(long pid) {
        return of(pid, Path.of("/proc"));
    }

    /** Does the same as {@link #of(long)} with another directory instead of /proc: a recording, or that of a container. */
    public static ThreadSampler of(long pid, Path procRoot) {
        return new ThreadSampler(pid, procRoot);
    }

    /** The process that is watched. */
    public long pid() {
        return pid;
    }

    /**
     * The threads that live now.
     *
     * @throws NoSuchProcessException when the process has ended, also when its parent has not yet fetched its exit code
     * @throws ObservationException when it may not be inspected
     * @throws IllegalStateException when this sampler is closed
     */
    public ProcessSample sample() {
        if (closed) {
            throw new IllegalStateException("the sampler of process " + pid + " is closed");
        }
        long timeNanos = System.nanoTime();
        String[] tids = list();
        List<ThreadSnapshot> threads = new ArrayList<>(tids.length);
        Set<Integer> living = new HashSet<>();
        for (String text : tids) {
            Integer tid = Integer.valueOf(text);
            TaskReader reader = readers.computeIfAbsent(tid, this::reader);
            reader.read(buffer, knownSets).ifPresent(thread -> {
                threads.add(thread);
                living.add(tid);
            });
        }
        forgetOthers(living);
        if (threads.stream().allMatch(thread -> thread.state() == 'Z') || (named && !hasName())) {
            throw new NoSuchProcessException(pid, "it has ended");
        }
        return new ProcessSample(timeNanos, threads);
    }

    /** A recorded process may have no such file. */
    private boolean hasName() {
        try {
            name.read(buffer);
            return true;
        } catch (IOException ended) {
            return false;
        }
    }

    private void forgetOthers(Set<Integer> living) {
        readers.entrySet().removeIf(reader -> {
            if (living.contains(reader.getKey())) {
                return false;
            }
            reader.getValue().close();
            return true;
        });
    }

    private TaskReader reader(int tid) {
        return new TaskReader(
                new File(tasks, Integer.toString(tid)).getPath(), tid, sources, readers.size() < KEPT_THREADS);
    }

    /** Names of the directories in /proc/PID/task, which are thread ids. */
    private String[] list() {
        String[] tids = tasks.list();
        if (tids != null) {
            return tids;
        }
        if (!NoSuchProcessException.isAbsent(process)) {
            throw new ObservationException(
                    "cannot see the threads of process " + pid + ": " + Refusal.of(tasks, process));
        }
        throw NoSuchProcessException.absent(pid, process);
    }

    /** Which files a kernel has does not change, so the leader is asked once. */
    private TaskReader.Sources findSources() {
        list();
        String leader = new File(tasks, Long.toString(pid)).getPath();
        return new TaskReader.Sources(
                tells(leader + "/schedstat", ProcText::schedstatNanos), tells(leader + "/sched", ProcText::migrations));
    }

    private boolean tells(String path, BiFunction<byte[], Integer, OptionalLong> parser) {
        try (ProcFile file = new ProcFile(path, false)) {
            int length = file.read(buffer);
            return parser.apply(buffer.bytes(), length).isPresent();
        } catch (IOException absent) {
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        name.close();
        readers.values().forEach(TaskReader::close);
        readers.clear();
    }
}
