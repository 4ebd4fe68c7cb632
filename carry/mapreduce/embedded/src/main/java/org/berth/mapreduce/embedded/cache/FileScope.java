package org.berth.mapreduce.embedded.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** An attempt of a task, or the set-up and commit of a job, on its thread. Files that it leaves open are not kept. */
public final class FileScope implements AutoCloseable {
    private static final ThreadLocal<@Nullable FileScope> CURRENT = new ThreadLocal<>();

    private final JobFiles job;
    private final ObjLongConsumer<FileCounter> counters;
    private final Set<Kept> open = ConcurrentHashMap.newKeySet();
    private final @Nullable FileScope outer;

    /** A file that is being written. */
    interface Kept {
        /** Forgets it, because its writer has ended without closing it. */
        void abandon();
    }

    FileScope(JobFiles job, ObjLongConsumer<FileCounter> counters) {
        this.job = job;
        this.counters = counters;
        this.outer = CURRENT.get();
        CURRENT.set(this);
    }

    /** Returns the scope of the calling thread, or null outside of jobs. */
    public static @Nullable FileScope current() {
        return CURRENT.get();
    }

    /** Returns what its job keeps. */
    JobFiles job() {
        return job;
    }

    /** Whether blocks of the file may be kept. */
    public boolean keeps(String path) {
        return !job.isOwn(path);
    }

    /** Whether a file of this size is worth its blocks: a larger one would push itself out before it is read again. */
    public boolean mayHold(long bytes) {
        return job.cache().mayHold(bytes);
    }

    /** Whether the file needs no disk. */
    public boolean isTransient(String path) {
        return job.transients().matches(path) && !job.isOwn(path);
    }

    /** Notes the new version of a file of the job. */
    public void changed(FileVersion version) {
        job.changed(version);
    }

    void count(String path, FileCounter counter, long number) {
        if (!PathGlobs.isChecksum(path.substring(path.lastIndexOf('/') + 1))) {
            counters.accept(counter, number);
        }
    }

    void opened(Kept file) {
        open.add(file);
    }

    void closed(Kept file) {
        open.remove(file);
    }

    @Override
    public void close() {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
        List<Kept> left = new ArrayList<>(open);
        open.clear();
        left.forEach(Kept::abandon);
    }
}
