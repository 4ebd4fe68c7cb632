package org.berth.experiments.statistics;

/**
 * The error of a single interim look when there are many. The boundary is Pocock's (Group sequential methods in the design and
 * analysis of clinical trials, Biometrika 64, 1977): the same error at every look, such that all looks together keep the error that was asked for, by the numerical integration of Armitage, McPherson and Rowe (Repeated significance tests on accumulating
 * data, Journal of the Royal Statistical Society A 132, 1969).
 */
public final class InterimLooks {
    private static final int STEPS = 60;
    private static final int BISECTIONS = 30;

    private InterimLooks() {}

    /** The two-sided error of one look after each pair from the first to the last, for the error of all of them. */
    public static double errorOfOne(double errorOfAll, int first, int last) {
        double low = 1;
        double high = 8;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (1 - staysInside(middle, first, last) > errorOfAll) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return 2 * (1 - Normal.cumulative(high));
    }

    /**
     * The probability that a random walk with normal steps stays below {@code bound} of its standard deviations at each
     * look. It is symmetric, so half of its density, on an even grid for Simpson's rule, is enough.
     */
    static double staysInside(double bound, int first, int last) {
        double step = bound * Math.sqrt(first) / STEPS;
        double[] density = new double[STEPS + 1];
        for (int i = 0; i <= STEPS; i++) {
            density[i] = 2 * Normal.density(i * step / Math.sqrt(first)) / Math.sqrt(first);
        }
        for (int look = first + 1; look <= last; look++) {
            double newStep = bound * Math.sqrt(look) / STEPS;
            double[] next = new double[STEPS + 1];
            for (int i = 0; i <= STEPS; i++) {
                double sum = 0;
                for (int j = 0; j <= STEPS; j++) {
                    double to = Normal.density(i * newStep - j * step) + Normal.density(i * newStep + j * step);
                    sum += weight(j) * density[j] * to;
                }
                next[i] = sum * step / 3;
            }
            density = next;
            step = newStep;
        }
        double inside = 0;
        for (int i = 0; i <= STEPS; i++) {
            inside += weight(i) * density[i];
        }
        return inside * step / 3;
    }

    private static int weight(int index) {
        if (index == 0 || index == STEPS) {
            return 1;
        }
        return index % 2 == 1 ? 4 : 2;
    }
}
