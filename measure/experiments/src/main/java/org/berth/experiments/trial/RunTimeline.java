package org.berth.experiments.trial;

import java.util.List;
import org.berth.experiments.ScheduledRun;
import org.berth.observation.threads.ThreadTrack;

/**
 * The CPUs on which the threads of one run were over time, for a picture. Immutable.
 *
 * @param arm name of the arm
 * @param number of the run, as in {@link ScheduledRun}
 * @param round of the run, as in {@link ScheduledRun}; 0 is the warm-up
 * @param startNanos time of the first sample ({@link System#nanoTime()}: only differences mean anything)
 * @param endNanos time of the last sample
 * @param resolutionNanos details shorter than this may have been merged; 0 while everything is kept
 * @param droppedThreads how many threads are left out, those that used least CPU time
 * @param threads by CPU time, the busiest first; at most {@value #MAX_THREADS} with {@value #MAX_RUNS} runs in all
 * @param balancing what NUMA balancing did meanwhile, in the order of time; empty where that was not followed
 */
public record RunTimeline(
        String arm,
        int number,
        int round,
        long startNanos,
        long endNanos,
        long resolutionNanos,
        int droppedThreads,
        List<RunThread> threads,
        List<BalancingSample> balancing) {
    /** Maximum number of threads of one timeline; a picture has colours for fewer. */
    public static final int MAX_THREADS = 64;

    /** Maximum number of stretches of all threads together: some 200 kB of JSON. */
    public static final int MAX_RUNS = 8_000;

    /**
     * One thread of the run.
     *
     * @param pid of its process
     * @param track where it ran
     * @param cpuNanos CPU time between the first and the last sample that showed it
     */
    public record RunThread(long pid, ThreadTrack track, long cpuNanos) {}

    public RunTimeline {
        threads = List.copyOf(threads);
        balancing = List.copyOf(balancing);
    }

    /** A timeline of threads alone. */
    public RunTimeline(
            String arm,
            int number,
            int round,
            long startNanos,
            long endNanos,
            long resolutionNanos,
            int droppedThreads,
            List<RunThread> threads) {
        this(arm, number, round, startNanos, endNanos, resolutionNanos, droppedThreads, threads, List.of());
    }

    /** The same with what NUMA balancing did. */
    RunTimeline withBalancing(List<BalancingSample> samples) {
        return new RunTimeline(
                arm, number, round, startNanos, endNanos, resolutionNanos, droppedThreads, threads, samples);
    }

    /** The time between the first and the last sample. */
    public double seconds() {
        return (endNanos - startNanos) / 1e9;
    }
}
