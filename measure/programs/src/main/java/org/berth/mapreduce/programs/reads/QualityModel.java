package org.berth.mapreduce.programs.reads;

/**
 * Qualities of bases, and errors that happen as often as the qualities say: a base of quality q is wrong with the probability
 * 10^(-q/10). Qualities fall towards the end of a read and scatter from base to base (log-normal probabilities); their level is chosen
 * so that the mean over all bases is the wanted rate of errors, as far as the range of qualities allows.
 */
final class QualityModel {
    static final int LOWEST = 2;
    static final int HIGHEST = 41;

    /** The last base fails three times as often as the first. */
    private static final double FIRST = 0.5;

    private static final double LAST = 1.5;
    /** Standard deviation of the logarithm of a base's probability: 4.3 of quality. */
    private static final double SPREAD = 1;

    /** Logarithms of probabilities beyond what qualities can say. */
    private static final double LOWEST_LEVEL = -20;

    private static final double HIGHEST_LEVEL = 5;
    private static final double LOGISTIC_SCALE = 1.702;
    private static final int QUANTILES = 256;
    private static final int SEARCH_STEPS = 60;

    private static final double[] PROBABILITIES = new double[HIGHEST + 1];

    static {
        for (int quality = 0; quality <= HIGHEST; quality++) {
            PROBABILITIES[quality] = StrictMath.pow(10, -quality / 10.0);
        }
    }

    private final byte[][] qualities;
    private final double rate;

    private QualityModel(byte[][] qualities) {
        this.qualities = qualities;
        double sum = 0;
        for (byte[] position : qualities) {
            for (byte quality : position) {
                sum += probability(quality);
            }
        }
        rate = sum / Math.max(1, (long) qualities.length * QUANTILES);
    }

    /** The model for reads of a length. */
    static QualityModel of(int length, double rate) {
        double[] scatter = scatter();
        double low = LOWEST_LEVEL;
        double high = HIGHEST_LEVEL;
        QualityModel model = with(length, scatter, low);
        for (int step = 0; step < SEARCH_STEPS; step++) {
            double middle = (low + high) / 2;
            QualityModel tried = with(length, scatter, middle);
            if (Math.abs(tried.rate - rate) < Math.abs(model.rate - rate)) {
                model = tried;
            }
            if (tried.rate < rate) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return model;
    }

    private static QualityModel with(int length, double[] scatter, double level) {
        byte[][] qualities = new byte[length][QUANTILES];
        for (int i = 0; i < length; i++) {
            double slope = FIRST + (LAST - FIRST) * (i + 0.5) / length;
            for (int j = 0; j < QUANTILES; j++) {
                double probability = slope * StrictMath.exp(level + scatter[j]);
                long quality = Math.round(-10 * StrictMath.log10(probability));
                qualities[i][j] = (byte) Math.min(HIGHEST, Math.max(LOWEST, quality));
            }
        }
        return new QualityModel(qualities);
    }

    /** Quantiles of a normal distribution: the inverse of its logistic approximation, which is good to 0.1 in this range. */
    private static double[] scatter() {
        double[] values = new double[QUANTILES];
        for (int i = 0; i < QUANTILES; i++) {
            double part = (i + 0.5) / QUANTILES;
            values[i] = SPREAD * StrictMath.log(part / (1 - part)) / LOGISTIC_SCALE;
        }
        return values;
    }

    /** How often a base of a quality is wrong. */
    static double probability(int quality) {
        return PROBABILITIES[quality];
    }

    /** Mean rate of errors of this model. */
    double rate() {
        return rate;
    }

    /** Draws the quality of a base. */
    int quality(int position, Draws draws) {
        return qualities[position][(int) draws.below(QUANTILES)];
    }
}
