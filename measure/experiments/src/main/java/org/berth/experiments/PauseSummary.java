package org.berth.experiments;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * The pauses in which a collector stopped the work, of one run or of several. Percentiles are pauses that happened (the
 * nearest rank), not interpolations.
 *
 * @param count how many there were; all other numbers are 0 without any
 * @param totalMillis of all together
 */
public record PauseSummary(int count, double totalMillis, double p50Millis, double p99Millis, double maxMillis) {
    private static final double MEDIAN = 0.5;
    private static final double NEARLY_ALL = 0.99;

    /**
     * Sums up pauses.
     *
     * @param millis of each pause, in any order
     */
    public static PauseSummary of(DoubleStream millis) {
        double[] sorted = millis.sorted().toArray();
        if (sorted.length == 0) {
            return new PauseSummary(0, 0, 0, 0, 0);
        }
        return new PauseSummary(
                sorted.length,
                Arrays.stream(sorted).sum(),
                nearestRank(sorted, MEDIAN),
                nearestRank(sorted, NEARLY_ALL),
                sorted[sorted.length - 1]);
    }

    private static double nearestRank(double[] sorted, double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1];
    }
}
