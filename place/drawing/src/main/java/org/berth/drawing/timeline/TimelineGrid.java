package org.berth.drawing.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.berth.observation.threads.CpuRun;

/**
 * A timeline cut into equal steps of time, as pictures need it: for each thread and step, how long the thread ran on
 * which CPU. A run says only that the thread used some CPU time in it, so the thread's whole CPU time is taken as spread
 * evenly over its runs: a thread that woke up for a microsecond in every sample must not look busy.
 *
 * @param stepNanos length of a step
 * @param threads in the order given
 * @since 0.1.0
 */
public record TimelineGrid(long stepNanos, int steps, List<Lane> threads) {

    /** Nanoseconds by CPU (osIndex), one map per step; empty where the thread did not run. */
    public record Lane(List<SortedMap<Integer, Long>> steps) {
        /** The CPU on which the thread ran longest in that step, or -1. */
        int mainCpu(int step) {
            return steps.get(step).entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey)
                    .orElse(-1);
        }
    }

    public TimelineGrid {
        threads = List.copyOf(threads);
    }

    /** The runs of the threads between two times, in that number of steps. */
    public static TimelineGrid of(List<ThreadSummary> summaries, long startNanos, long endNanos, int steps) {
        long lengthNanos = Math.max(steps, endNanos - startNanos);
        List<Lane> threads = new ArrayList<>();
        for (ThreadSummary summary : summaries) {
            List<SortedMap<Integer, Long>> cells = new ArrayList<>();
            for (int i = 0; i < steps; i++) {
                cells.add(new TreeMap<>());
            }
            for (CpuRun run : summary.track().runs()) {
                spread(run, summary.density(), startNanos, lengthNanos, cells);
            }
            threads.add(new Lane(cells));
        }
        return new TimelineGrid(lengthNanos / steps, steps, threads);
    }

    private static void spread(
            CpuRun run, double density, long startNanos, long lengthNanos, List<SortedMap<Integer, Long>> cells) {
        int steps = cells.size();
        long from = Math.max(0, run.fromNanos() - startNanos);
        long to = Math.min(run.toNanos() - startNanos, lengthNanos);
        for (int step = (int) ((double) from / lengthNanos * steps); from < to; step++) {
            // Not a multiple of a rounded step, whose error would add up to visible slivers.
            long end = Math.min(to, Math.round((step + 1.0) / steps * lengthNanos));
            if (end > from) {
                cells.get(step).merge(run.cpu(), Math.max(1, Math.round((end - from) * density)), Long::sum);
                from = end;
            }
        }
    }
}
