package org.berth.experiments.turns;

import java.util.Arrays;
import java.util.Optional;
import org.berth.experiments.statistics.Ratio;

/**
 * An interval for the mean of numbers that keep coming, which may be looked at after each of them: the truth is in all of
 * them together with the probability that is asked for. It holds the means for which the Bayes factor of Student's t test,
 * whose prior for the standardised effect is normal, stays below 1 / error; by Ville's inequality it exceeds that with at
 * most this probability, because it is a test martingale for the scale-invariant reduction of normal numbers (Perez-Ortiz,
 * Lardy, de Heide and Grunwald, E-statistics, group invariance and anytime-valid testing, 2024, arXiv 2208.07610). The
 * price is its width: simulated, it finds three of four effects that a test at a fixed end finds.
 */
public final class AnytimeInterval {
    /** The variance of the prior: an effect of half of the spread of the numbers is what a trial may expect to find. */
    private static final double PRIOR = 0.25;

    private AnytimeInterval() {}

    /** Gives it for the exponential of the mean of these logarithms; empty while it is not bounded. */
    public static Optional<Ratio.Interval> of(double[] logs, double error) {
        int count = logs.length;
        double mean = Arrays.stream(logs).average().orElse(0);
        double squares =
                Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
        double growth = 1 + count * PRIOR;
        // The largest t with ((1 + t^2 / (n - 1)) / (1 + t^2 / ((n - 1) growth)))^(n / 2) <= sqrt(growth) / error.
        double limit = Math.pow(Math.sqrt(growth) / error, 2.0 / count);
        if (count < 2 || limit >= growth) {
            return Optional.empty();
        }
        double scaled = (limit - 1) / (1 - limit / growth);
        // t^2 / (n - 1) is n (mean - truth)^2 / squares.
        double half = Math.sqrt(scaled * squares / count);
        return Optional.of(new Ratio.Interval(Math.exp(mean - half), Math.exp(mean + half)));
    }
}
