package org.berth.experiments;

import java.util.Arrays;
import org.apache.commons.math3.stat.inference.TTest;

/** How others tell whether two programs differ. */
final class OtherMethods {
    private static final double ERROR = 0.05;

    private OtherMethods() {}

    /** Welch's test, as the script {@code welch_ttest.py} of hyperfine has it: two-sided at 5 %. */
    static boolean welch(double[] one, double[] other) {
        return new TTest().tTest(one, other) < ERROR;
    }

    /** The test of Mann and Whitney, as in Go's benchstat: two-sided at 5 %, with the exact distribution of numbers without ties. */
    static boolean benchstat(double[] one, double[] other) {
        int below = 0;
        for (double left : one) {
            for (double right : other) {
                below += left < right ? 1 : 0;
            }
        }
        int smaller = Math.min(below, one.length * other.length - below);
        double[] ways = ways(one.length, other.length);
        double all = Arrays.stream(ways).sum();
        double tail = Arrays.stream(ways).limit(smaller + 1L).sum();
        return 2 * tail / all < ERROR;
    }

    /** In how many of the orders of so many numbers each count of pairs is in order: that of Mann and Whitney (1947), by their recurrence. */
    private static double[] ways(int one, int other) {
        double[][] ways = new double[other + 1][one * other + 1];
        for (double[] row : ways) {
            row[0] = 1;
        }
        for (int left = 1; left <= one; left++) {
            double[][] next = new double[other + 1][one * other + 1];
            next[0][0] = 1;
            for (int right = 1; right <= other; right++) {
                for (int count = 0; count < next[right].length; count++) {
                    next[right][count] = next[right - 1][count] + (count >= right ? ways[right][count - right] : 0);
                }
            }
            ways = next;
        }
        return ways[other];
    }
}
