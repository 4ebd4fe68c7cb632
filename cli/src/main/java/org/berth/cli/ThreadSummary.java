package org.berth.cli;

import org.berth.observation.CpuRun;
import org.berth.observation.MigrationCount;
import org.berth.observation.ThreadTrack;

/**
 * One thread over the whole time that it was watched.
 *
 * @param cpuNanos CPU time that it used while watched
 */
record ThreadSummary(ThreadTrack track, long cpuNanos, MigrationCount moves) {
    /** Share of the time of its runs in which the thread really ran, at most 1. */
    double density() {
        long nanos = track.runs().stream().mapToLong(CpuRun::lengthNanos).sum();
        return nanos <= 0 ? 1 : Math.min(1, (double) cpuNanos / nanos);
    }
}
