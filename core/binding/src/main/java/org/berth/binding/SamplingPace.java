package org.berth.binding;

/**
 * How long to pause between samples so that they take no more than {@value #BUDGET} of a CPU. Not thread-safe.
 *
 * <p>One costs 20 to 100 us of CPU time with the caches cold, more in the first second of a JVM, and with the number of
 * threads that are read; so the cost is measured, not assumed.
 */
final class SamplingPace {
    /** A part of what is promised (0.5 %): the mean cost is known only after some samples. */
    static final double BUDGET = 0.004;

    private static final int WEIGHT = 8;

    private long before = -1;
    private double mean;

    /**
     * Returns the nanoseconds to pause.
     *
     * @param spentNanos CPU time of the sampling thread so far
     * @param wantedNanos the pause where the cost does not matter
     */
    long next(long spentNanos, long wantedNanos) {
        if (before >= 0) {
            mean += (spentNanos - before - mean) / (mean == 0 ? 1 : WEIGHT);
        }
        before = spentNanos;
        return Math.max(wantedNanos, (long) (mean / BUDGET));
    }
}
