package org.berth.experiments.turns;

import java.util.Arrays;

/**
 * Moves the far outliers among the run times of a stage's tasks to its edge, whatever arm they had: a straggler tells
 * nothing about an arm, but widens its interval. What is near follows from the tasks before. Not thread-safe.
 */
public final class TimeClamp {
    private static final int LEAST = 16;
    private static final int KEPT = 128;

    /** In standard deviations of a normal distribution. */
    private static final double WIDTH = 2.5;

    /** The median distance from the median, times this, is the standard deviation of a normal distribution. */
    private static final double NORMAL = 1.4826;

    private final double[] newest = new double[KEPT];
    private int seen;
    private double low = Double.NEGATIVE_INFINITY;
    private double high = Double.POSITIVE_INFINITY;

    /** Returns the logarithm of a task's run time, or the edge that it is beyond, and remembers it for later tasks. */
    public double clamp(double time) {
        double clamped = Math.min(Math.max(time, low), high);
        newest[seen % KEPT] = time;
        seen++;
        // The edges hardly move, and sorting takes microseconds.
        if ((seen >= LEAST && Integer.bitCount(seen) == 1) || seen % KEPT == 0) {
            learn();
        }
        return clamped;
    }

    private void learn() {
        double[] sorted = Arrays.copyOf(newest, Math.min(seen, KEPT));
        double median = median(sorted);
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = Math.abs(sorted[i] - median);
        }
        double width = WIDTH * NORMAL * median(sorted);
        // More than half of the times are the same where the clock is coarse.
        low = width > 0 ? median - width : Double.NEGATIVE_INFINITY;
        high = width > 0 ? median + width : Double.POSITIVE_INFINITY;
    }

    private static double median(double[] numbers) {
        Arrays.sort(numbers);
        return (numbers[(numbers.length - 1) / 2] + numbers[numbers.length / 2]) / 2;
    }
}
