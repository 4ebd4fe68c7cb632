package org.berth.experiments.statistics;

/**
 * Student's t distribution for whole degrees of freedom, by its finite series (Abramowitz and Stegun, Handbook of
 * Mathematical Functions, 26.7.3 and 26.7.4): exact, and short enough not to need a library.
 */
public final class StudentT {
    private StudentT() {}

    /** The value below which a number lies with this probability; requires a probability between 0 and 1. */
    public static double quantile(double probability, int degrees) {
        if (!(probability > 0 && probability < 1) || degrees < 1) {
            throw new IllegalArgumentException(
                    "no quantile " + probability + " with " + degrees + " degrees of freedom");
        }
        if (probability < 0.5) {
            return -quantile(1 - probability, degrees);
        }
        double low = 0;
        double high = 1;
        while (cumulative(high, degrees) < probability) {
            high *= 2;
        }
        double middle = high / 2;
        while (low < middle && middle < high) {
            if (cumulative(middle, degrees) < probability) {
                low = middle;
            } else {
                high = middle;
            }
            middle = (low + high) / 2;
        }
        return high;
    }

    /** The probability that a value lies below t. */
    static double cumulative(double t, int degrees) {
        double angle = Math.atan(t / Math.sqrt(degrees));
        double cosine = Math.cos(angle);
        boolean odd = degrees % 2 == 1;
        double term = odd ? cosine : 1;
        double sum = degrees == 1 ? 0 : term;
        for (int j = odd ? 3 : 2; j <= degrees - 2; j += 2) {
            term *= cosine * cosine * (j - 1) / j;
            sum += term;
        }
        double between = odd ? 2 / Math.PI * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
        return 0.5 + between / 2;
    }
}
