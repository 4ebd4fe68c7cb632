package org.berth.experiments.statistics;

import java.util.OptionalDouble;

/**
 * The difference of an arm from the baseline in the number's own unit, for numbers so near zero that a ratio of them means
 * nothing. The two runs of one round are subtracted; estimate and interval are those of {@link Ratio}, without logarithms.
 *
 * @param estimate of the true difference
 * @param low lower end of the interval, with the confidence asked for; empty below {@link Ratio#MIN_PAIRS} pairs
 * @param high upper end
 * @param pairs rounds in which both arms completed
 */
public record Difference(double estimate, OptionalDouble low, OptionalDouble high, int pairs) {
    /**
     * Requires at least one difference; {@code error} is what the interval may miss, 0.05 for 95 %.
     *
     * @param shift by which rounding may have moved the true difference, up or down
     */
    public static Difference of(double[] differences, double error, int minPairs, double shift) {
        double estimate = SignedRanks.of(differences).estimate();
        if (differences.length < Math.max(minPairs, Ratio.MIN_PAIRS)) {
            return new Difference(estimate, OptionalDouble.empty(), OptionalDouble.empty(), differences.length);
        }
        double[] ends = Ratio.ends(differences, error);
        return new Difference(
                estimate, OptionalDouble.of(ends[0] - shift), OptionalDouble.of(ends[1] + shift), differences.length);
    }
}
