package org.berth.observation;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.berth.observation.internal.ProcFile;
import org.berth.observation.internal.ProcText;
import org.berth.observation.internal.ReadBuffer;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads one thread. The cheap files (stat, schedstat) are read in every sample; sched and status, which cost the kernel
 * more than twice as much, only when the thread has run since, or when what is known grows old.
 */
final class TaskReader implements AutoCloseable {
    private final int tid;
    private final ProcFile stat;
    private final @Nullable ProcFile schedstat;
    private final @Nullable ProcFile sched;
    private final ProcFile status;
    private int age;
    private @Nullable ThreadSnapshot last;

    /** The directory is {@code /proc/<pid>/task/<tid>}. */
    TaskReader(String directory, int tid, Sources sources, boolean keepOpen) {
        this.tid = tid;
        this.stat = new ProcFile(directory + "/stat", keepOpen);
        this.schedstat = sources.schedstat() ? new ProcFile(directory + "/schedstat", keepOpen) : null;
        this.sched = sources.sched() ? new ProcFile(directory + "/sched", false) : null;
        this.status = new ProcFile(directory + "/status", false);
        this.age = tid % ThreadSampler.ALLOWED_MAX_AGE_SAMPLES; // so that not all grow old in the same sample
    }

    /** Which optional files this kernel has. */
    record Sources(boolean schedstat, boolean sched) {}

    /** Is empty when the thread has ended meanwhile. Known sets are shared: most threads have the same one. */
    Optional<ThreadSnapshot> read(ReadBuffer buffer, Map<String, CpuSet> knownSets) {
        try {
            Optional<ProcText.Stat> text = ProcText.stat(buffer.bytes(), stat.read(buffer));
            if (text.isEmpty()) {
                return Optional.empty();
            }
            ThreadSnapshot snapshot = complete(text.get(), buffer, knownSets);
            last = snapshot;
            return Optional.of(snapshot);
        } catch (IOException ended) { // ENOENT when opened, ESRCH when read: threads come and go
            return Optional.empty();
        }
    }

    private ThreadSnapshot complete(ProcText.Stat text, ReadBuffer buffer, Map<String, CpuSet> knownSets)
            throws IOException {
        long cpuTimeNanos = text.cpuTimeNanos();
        if (schedstat != null) {
            // A new thread may have run for zero nanoseconds so far; then both sources say zero.
            cpuTimeNanos = ProcText.schedstatNanos(buffer.bytes(), schedstat.read(buffer))
                    .orElse(cpuTimeNanos);
        }
        ThreadSnapshot known = last;
        boolean ran = known == null
                || schedstat == null
                || cpuTimeNanos != known.cpuTimeNanos()
                || text.processor() != known.lastCpu();
        boolean old = ++age >= ThreadSampler.ALLOWED_MAX_AGE_SAMPLES;
        CpuSet allowed = known != null && !ran && !old ? known.allowed() : readAllowed(buffer, knownSets);
        OptionalLong migrations = known != null && !ran ? known.migrations() : readMigrations(buffer);
        String name = known != null && known.name().equals(text.name()) ? known.name() : text.name();
        return new ThreadSnapshot(tid, name, text.state(), text.processor(), allowed, cpuTimeNanos, migrations);
    }

    private CpuSet readAllowed(ReadBuffer buffer, Map<String, CpuSet> knownSets) throws IOException {
        age = 0;
        String list = ProcText.allowedList(buffer.bytes(), status.read(buffer))
                .orElseThrow(() -> new IOException("no Cpus_allowed_list in status"));
        return knownSets.computeIfAbsent(list, CpuSet::parseList);
    }

    private OptionalLong readMigrations(ReadBuffer buffer) throws IOException {
        return sched == null ? OptionalLong.empty() : ProcText.migrations(buffer.bytes(), sched.read(buffer));
    }

    @Override
    public void close() {
        stat.close();
        if (schedstat != null) {
            schedstat.close();
        }
    }
}
