package org.berth.experiments.statistics;

import java.util.Arrays;

/**
 * The averages of all pairs of some numbers, each number with itself too (Walsh averages), and their intervals by Wilcoxon's signed rank distribution. Their median is the estimate of Hodges and Lehmann (Estimates of location based on
 * rank tests, Annals of Mathematical Statistics 34, 1963); the interval between two of them is exact for any symmetric
 * distribution (Hollander and Wolfe, Nonparametric Statistical Methods, 1999, ch. 3).
 */
final class SignedRanks {
    private final double[] averages;
    private final int count;

    private SignedRanks(double[] averages, int count) {
        this.averages = averages;
        this.count = count;
    }

    /** Requires at least one number. */
    static SignedRanks of(double[] numbers) {
        double[] averages = new double[numbers.length * (numbers.length + 1) / 2];
        int next = 0;
        for (int i = 0; i < numbers.length; i++) {
            for (int j = i; j < numbers.length; j++) {
                averages[next++] = (numbers[i] + numbers[j]) / 2;
            }
        }
        Arrays.sort(averages);
        return new SignedRanks(averages, numbers.length);
    }

    /** The median of the averages. */
    double estimate() {
        return Spread.median(averages);
    }

    /** Whether this many numbers can differ from zero with this error: the smallest possible error is 2 / 2^count. */
    static boolean reaches(int count, double error) {
        return Math.scalb(2.0, -count) <= error;
    }

    /** The interval's two ends; requires that the error is within reach. */
    double[] interval(double error) {
        int rank = rank(count, error / 2);
        return new double[] {averages[rank - 1], averages[averages.length - rank]};
    }

    /** How many values of the rank sum, from 0 on, have a probability of at most the given one together. */
    private static int rank(int count, double tail) {
        double[] probabilities = new double[count * (count + 1) / 4 + 1]; // the other half is its mirror image
        probabilities[0] = 1;
        for (int rank = 1; rank <= count; rank++) {
            for (int sum = probabilities.length - 1; sum >= 0; sum--) {
                double without = probabilities[sum];
                double with = sum >= rank ? probabilities[sum - rank] : 0;
                probabilities[sum] = (without + with) / 2;
            }
        }
        int values = 0;
        double together = 0;
        while (together + probabilities[values] <= tail) {
            together += probabilities[values++];
        }
        return values;
    }
}
