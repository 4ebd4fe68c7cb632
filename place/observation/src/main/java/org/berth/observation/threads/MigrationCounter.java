package org.berth.observation.threads;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.observation.internal.threads.SampleChanges;
import org.berth.topology.Topology;

/**
 * Counts the migrations of threads between CPUs, cores, last-level caches, packages and NUMA nodes over the samples
 * that it is given. What happened before the first sample does not count; a thread that starts later counts from its
 * start, and one that ends keeps its count.
 *
 * <p><b>Thread safety</b>: none; one thread at a time.
 *
 * @since 0.1.0
 */
public final class MigrationCounter {
    /**
     * More ended threads than this are remembered only in the sum: a server may start a thread per request for days.
     */
    private static final int MAX_ENDED = 10_000;

    private final CpuGroups groups;
    private final SampleChanges samples = new SampleChanges();
    private final Map<Integer, ThreadCounts> living = new LinkedHashMap<>();
    private final List<ThreadMigrations> ended = new ArrayList<>();
    private MigrationCount endedSum = MigrationCount.ZERO;

    /** The topology says which CPUs share a core, a cache, a package, a node. */
    public MigrationCounter(Topology topology) {
        this.groups = new CpuGroups(topology);
    }

    /** Takes the next sample. Requires that samples come in the order of their times. */
    public void add(ProcessSample sample) {
        SampleChanges.Step step = samples.add(sample);
        step.ended().forEach(this::end);
        for (SampleChanges.Change change : step.changes()) {
            ThreadSnapshot now = change.now();
            ThreadSnapshot before = change.before();
            if (before == null) {
                // The kernel counts from the thread's start: of one that was there before us its count so far is not
                // ours.
                living.put(
                        now.tid(),
                        new ThreadCounts(now, step.first() ? now.migrations().orElse(0) : 0));
            } else {
                living.computeIfAbsent(now.tid(), tid -> new ThreadCounts(before, 0))
                        .add(before, now, groups);
            }
        }
    }

    /** All threads together, ended ones included. */
    public MigrationCount count() {
        MigrationCount sum = endedSum;
        for (ThreadCounts one : living.values()) {
            sum = sum.plus(one.count());
        }
        return sum;
    }

    /** Thread by thread, those that ended first; of these the first {@value #MAX_ENDED} only. */
    public List<ThreadMigrations> threads() {
        List<ThreadMigrations> all = new ArrayList<>(ended);
        living.values().forEach(one -> all.add(one.result(true)));
        return List.copyOf(all);
    }

    private void end(ThreadSnapshot thread) {
        ThreadCounts counts = living.remove(thread.tid());
        if (counts != null) {
            endedSum = endedSum.plus(counts.count());
            if (ended.size() < MAX_ENDED) {
                ended.add(counts.result(false));
            }
        }
    }

    /** The migrations of one living thread. */
    private static final class ThreadCounts {
        private final long kernelCountBefore;
        private ThreadSnapshot last;
        private long cpus;
        private long cores;
        private long caches;
        private long packages;
        private long nodes;

        ThreadCounts(ThreadSnapshot first, long kernelCountBefore) {
            this.kernelCountBefore = kernelCountBefore;
            this.last = first;
        }

        void add(ThreadSnapshot before, ThreadSnapshot now, CpuGroups groups) {
            int from = before.lastCpu();
            int to = now.lastCpu();
            last = now;
            if (from != to) {
                cpus++;
                cores += groups.differentCore(from, to) ? 1 : 0;
                caches += groups.differentCache(from, to) ? 1 : 0;
                packages += groups.differentPackage(from, to) ? 1 : 0;
                nodes += groups.differentNode(from, to) ? 1 : 0;
            }
        }

        MigrationCount count() {
            OptionalLong kernel = last.migrations().isPresent()
                    ? OptionalLong.of(last.migrations().getAsLong() - kernelCountBefore)
                    : OptionalLong.empty();
            return new MigrationCount(cpus, cores, caches, packages, nodes, kernel);
        }

        ThreadMigrations result(boolean alive) {
            return new ThreadMigrations(last.tid(), last.name(), alive, count());
        }
    }
}
