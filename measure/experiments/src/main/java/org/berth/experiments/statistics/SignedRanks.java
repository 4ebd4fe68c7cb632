package org.berth.experiments.statistics;

import java.util.Arrays;

/**
 * The averages of all pairs of some numbers, each number with itself too (Walsh averages), and their intervals by Wilcoxon's signed rank distribution. Their median is the estimate of Hodges and Lehmann (Estimates of location based on
 * rank tests, Annals of Mathematical Statistics 34, 1963); the interval between two of them has a known error for any symmetric
 * distribution (Hollander and Wolfe, Nonparametric Statistical Methods, 1999, ch. 3), and between two such intervals lies the one
 * with the error that is asked for.
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

    /**
     * The interval's two ends; requires that the error is within reach. Between two ranks of which one misses a little less than the
     * error and the other a little more, it lies at the place in between: by whole ranks alone, the interval of one pair more
     * could be the wider one, and 9 pairs with 8 arms found a difference of 5 % in 30 of 100 comparisons where 8 pairs found it in 38.
     */
    double[] interval(double error) {
        double[] probabilities = probabilities(count);
        int values = 0;
        double together = 0;
        while (together + probabilities[values] <= error / 2) {
            together += probabilities[values++];
        }
        double part = (error / 2 - together) / probabilities[values];
        int last = averages.length - 1;
        return new double[] {
            between(averages[values - 1], averages[values], part),
            between(averages[last - values + 1], averages[last - values], part)
        };
    }

    private static double between(double one, double other, double part) {
        return one + part * (other - one);
    }

    /** Of each value of the rank sum, from 0 on; the other half is its mirror image. */
    static double[] probabilities(int count) {
        double[] probabilities = new double[count * (count + 1) / 4 + 1];
        probabilities[0] = 1;
        for (int rank = 1; rank <= count; rank++) {
            for (int sum = probabilities.length - 1; sum >= 0; sum--) {
                double without = probabilities[sum];
                double with = sum >= rank ? probabilities[sum - rank] : 0;
                probabilities[sum] = (without + with) / 2;
            }
        }
        return probabilities;
    }
}
