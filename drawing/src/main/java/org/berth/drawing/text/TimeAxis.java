package org.berth.drawing.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Round marks on a time axis that starts at 0. */
public final class TimeAxis {
    private static final double[] ROUND = {1, 2, 5};

    private TimeAxis() {}

    /** The smallest of 1, 2, 5 times a power of ten seconds that gives at most so many marks after the first. */
    public static double stepSeconds(double seconds, int most) {
        for (double power = 0.001; ; power *= 10) {
            for (double round : ROUND) {
                if (seconds / (round * power) <= most) {
                    return round * power;
                }
            }
        }
    }

    public static List<Double> marks(double seconds, int most) {
        double step = stepSeconds(seconds, most);
        List<Double> marks = new ArrayList<>();
        for (int i = 0; i * step <= seconds; i++) {
            marks.add(i * step);
        }
        return marks;
    }

    /** "0.5 s", "20 s". */
    public static String label(double seconds, double step) {
        int digits = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + digits + "f s", seconds);
    }
}
