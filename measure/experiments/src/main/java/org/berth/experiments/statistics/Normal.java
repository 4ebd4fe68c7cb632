package org.berth.experiments.statistics;

/** The standard normal distribution. */
final class Normal {
    private static final int FAR = 9;
    private static final double CLOSE = 3;

    private Normal() {}

    static double density(double x) {
        return Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
    }

    /**
     * The probability that a value lies below x: near zero by the series of Abramowitz and Stegun, 26.2.11, further out
     * by the continued fraction 26.2.14, both to some 1e-13.
     */
    static double cumulative(double x) {
        if (x < 0) {
            return 1 - cumulative(-x);
        }
        if (x > FAR) {
            return 1;
        }
        if (x > CLOSE) {
            double fraction = x;
            for (int k = 100; k >= 1; k--) {
                fraction = x + k / fraction;
            }
            return 1 - density(x) / fraction;
        }
        double term = x;
        double sum = x;
        for (int k = 1; k < 100; k++) {
            term *= x * x / (2 * k + 1);
            sum += term;
        }
        return 0.5 + density(x) * sum;
    }
}
