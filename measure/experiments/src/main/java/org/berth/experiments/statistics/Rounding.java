package org.berth.experiments.statistics;

import java.util.Arrays;

/** What rounding does to the centre of some numbers. */
public final class Rounding {
    /** The standard deviation of normal noise, of its median absolute deviation. */
    private static final double NORMAL = 1.4826;
    /** Few runs tell the noise badly: this part of it is taken. */
    private static final double CAUTION = 2 / 3.0;

    private Rounding() {}

    /**
     * The distance by which rounding may have moved the centre. Half a step where the numbers hardly vary: all are rounded
     * the same way. Where noise is wider than a step it is nothing, since the noise makes some go up and others down: of a normal
     * distribution the distance falls with exp(-2 (pi deviation / step)^2) (Widrow and Kollár, Quantization Noise, 2008, ch. 4 and 5).
     * The noise is that of most numbers, so one outlier among equal ones changes nothing. Pure.
     *
     * @param numbers at least one
     * @param step between two numbers that can be told apart; 0 or less: none
     */
    public static double shift(double[] numbers, double step) {
        if (!(step > 0)) {
            return 0;
        }
        double median = Spread.median(Arrays.stream(numbers).sorted().toArray());
        double typical = NORMAL
                * Spread.median(Arrays.stream(numbers)
                        .map(number -> Math.abs(number - median))
                        .sorted()
                        .toArray());
        double mean = Arrays.stream(numbers).average().orElseThrow();
        double variance = numbers.length < 2
                ? 0
                : Arrays.stream(numbers)
                                .map(number -> (number - mean) * (number - mean))
                                .sum()
                        / (numbers.length - 1);
        // Rounding itself adds step^2 / 12 (Sheppard).
        double noise = Math.sqrt(Math.max(0, Math.min(typical * typical, variance) - step * step / 12));
        double inSteps = CAUTION * noise / step;
        return step / 2 * Math.exp(-2 * Math.PI * Math.PI * inSteps * inSteps);
    }
}
