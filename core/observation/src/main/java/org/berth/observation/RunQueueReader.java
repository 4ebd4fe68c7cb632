package org.berth.observation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Reads how long threads of one process have run and waited for a CPU, from {@code /proc/<pid>/task/<tid>/schedstat}. The
 * waiting grows when a thread that has waited gets its CPU, so a wait that goes on does not show yet. One read of a file that stays open takes 1 to 2 us.
 *
 * <p><b>Thread safety</b>: none; one thread at a time.
 *
 * @see <a href="https://docs.kernel.org/scheduler/sched-stats.html">Scheduler statistics</a>
 * @since 0.1.0
 */
public final class RunQueueReader implements AutoCloseable {
    private static final int KEPT_THREADS = 1024;

    private final String tasks;
    private final Map<Integer, ProcFile> files = new HashMap<>();
    private final ReadBuffer buffer = new ReadBuffer();
    private boolean closed;

    private RunQueueReader(String tasks) {
        this.tasks = tasks;
    }

    /** A reader for the threads of this process. */
    public static RunQueueReader ofThisProcess() {
        return of(Path.of("/proc/self/task"));
    }

    /** Does the same as {@link #ofThisProcess()} with the directory of another process, or with a recording. */
    public static RunQueueReader of(Path tasks) {
        return new RunQueueReader(tasks.toString());
    }

    /**
     * Why this kernel does not tell how long a thread has waited, one line; empty when it does.
     *
     * @param tid a thread that has run already, such as the caller
     */
    public Optional<String> obstacle(int tid) {
        try {
            ProcFile file = file(tid);
            int length = file.read(buffer);
            return ProcText.schedstatNanos(buffer.bytes(), length).isPresent()
                    ? Optional.empty()
                    : Optional.of("the kernel does not count how long threads wait for a CPU (" + path(tid)
                            + " has zeros only): it was built without CONFIG_SCHED_INFO, or needs the boot option"
                            + " delayacct");
        } catch (IOException absent) {
            return Optional.of("the kernel does not tell how long threads wait for a CPU: " + path(tid)
                    + " cannot be read (" + absent.getMessage() + ")");
        }
    }

    /**
     * The times of a thread since its birth; empty when it has ended.
     *
     * @throws IllegalStateException when this reader is closed
     */
    public Optional<RunQueueTimes> read(int tid) {
        try {
            return ProcText.schedstat(buffer.bytes(), file(tid).read(buffer));
        } catch (IOException ended) {
            ProcFile file = files.remove(tid);
            if (file != null) {
                file.close();
            }
            return Optional.empty();
        }
    }

    private ProcFile file(int tid) {
        if (closed) {
            throw new IllegalStateException("the reader of " + tasks + " is closed");
        }
        return files.computeIfAbsent(tid, thread -> new ProcFile(path(thread), files.size() < KEPT_THREADS));
    }

    private String path(int tid) {
        return tasks + "/" + tid + "/schedstat";
    }

    /** Closes the files of all threads but these. */
    public void keepOnly(IntPredicate wanted) {
        files.entrySet().removeIf(entry -> {
            boolean drop = !wanted.test(entry.getKey());
            if (drop) {
                entry.getValue().close();
            }
            return drop;
        });
    }

    @Override
    public void close() {
        closed = true;
        files.values().forEach(ProcFile::close);
        files.clear();
    }
}
