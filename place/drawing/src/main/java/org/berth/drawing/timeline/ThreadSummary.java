package org.berth.drawing.timeline;

import java.util.List;
import org.berth.observation.threads.CpuRun;
import org.berth.observation.threads.MigrationCount;
import org.berth.observation.threads.ThreadTrack;

/**
 * One thread over the whole time that it was watched.
 *
 * @param cpuNanos CPU time that it used while watched
 * @since 0.1.0
 */
public record ThreadSummary(ThreadTrack track, long cpuNanos, MigrationCount migrations) {
    private static final double SMALLEST_SHARE = 0.001;

    /** Share of the time of its runs in which the thread really ran, at most 1. */
    double density() {
        long nanos = track.runs().stream().mapToLong(CpuRun::lengthNanos).sum();
        return nanos <= 0 ? 1 : Math.min(1, (double) cpuNanos / nanos);
    }

    /**
     * How many of the threads, which are sorted by CPU time, deserve a row or a colour of their own: at least one; those
     * that hardly ran would only hide the others.
     */
    static int worthShowing(List<ThreadSummary> sorted, int most) {
        long all = sorted.stream().mapToLong(ThreadSummary::cpuNanos).sum();
        long worth = sorted.stream()
                .filter(thread -> thread.cpuNanos() >= SMALLEST_SHARE * all)
                .count();
        return (int) Math.min(Math.max(1, worth), Math.min(most, sorted.size()));
    }
}
