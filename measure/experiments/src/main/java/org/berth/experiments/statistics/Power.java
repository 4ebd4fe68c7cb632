package org.berth.experiments.statistics;

/** The difference that runs with a given noise can detect. */
public final class Power {
    /** The 80 % point of the standard normal distribution. */
    private static final double FOUR_OF_FIVE = 0.8416212335729143;

    private Power() {}

    /**
     * The shift that makes an interval leave out zero in 80 of 100 experiments.
     *
     * <p>The noise is half the interval's width by the quantile. It comes out too low more often than too high when there
     * are few pairs, so it is divided by the median of its distribution (Wilson and Hilferty, The Distribution of
     * Chi-Square, 1931): the answer is as often too high as too low. The shift follows from the approximation of the
     * noncentral t distribution of Abramowitz and Stegun, 26.7.10.
     *
     * @param halfWidth of the interval
     * @param quantile of Student's t that belongs to the interval
     * @param degrees one less than the pairs
     */
    static double detectableShift(double halfWidth, double quantile, int degrees) {
        double standardError = halfWidth / quantile / Math.pow(1 - 2.0 / (9 * degrees), 1.5);
        return standardError * detectableShift(quantile, degrees);
    }

    /** The same in standard errors, for noise that is known. */
    public static double detectableShift(double quantile, int degrees) {
        return quantile * (1 - 1.0 / (4 * degrees)) + FOUR_OF_FIVE * Math.sqrt(1 + quantile * quantile / (2 * degrees));
    }
}
