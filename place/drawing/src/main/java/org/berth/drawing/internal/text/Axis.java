package org.berth.drawing.internal.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Numbers on an axis with round marks. Immutable.
 *
 * @param step distance of two marks
 */
public record Axis(double low, double high, double step) {
    private static final int MOST_MARKS = 5;
    private static final double[] ROUND = {1, 2, 5, 10};
    private static final String[] THOUSANDS = {"", "k", "M", "G", "T"};
    /** The finest step of a time that is no time: that of milliseconds. */
    private static final double SHORTEST = 0.001;

    /** From zero to the largest value. */
    public static Axis fromZero(DoubleStream values) {
        double high = values.filter(Double::isFinite).max().orElse(1);
        return of(0, high > 0 ? high : 1, MOST_MARKS);
    }

    /** From the smallest to the largest value, with a little air; the axis need not show zero. */
    public static Axis around(DoubleStream values) {
        double[] all = values.filter(Double::isFinite).sorted().toArray();
        double low = all.length == 0 ? 0 : all[0];
        double high = all.length == 0 ? 1 : all[all.length - 1];
        double air = high > low ? 0.08 * (high - low) : Math.max(0.01, 0.05 * Math.abs(high));
        return of(low - air, high + air, MOST_MARKS);
    }

    /** Seconds since a start, with at most that number of marks after the first one. */
    public static Axis time(double seconds, int marks) {
        return seconds < SHORTEST ? new Axis(0, seconds, SHORTEST) : of(0, seconds, marks);
    }

    /** The step is the smallest of 1, 2, 5 times a power of ten with no more steps than wanted. */
    private static Axis of(double low, double high, int steps) {
        double rough = (high - low) / steps;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double step = 10 * power;
        for (double round : ROUND) {
            if (round * power >= rough * (1 - 1e-9)) {
                step = round * power;
                break;
            }
        }
        return new Axis(low, high, step);
    }

    /** Where a number stands: 0 for the low end, 1 for the high end. */
    public double share(double value) {
        return high > low ? (value - low) / (high - low) : 0;
    }

    /** Round numbers inside. */
    public List<Double> marks() {
        List<Double> marks = new ArrayList<>();
        long first = (long) Math.ceil(low / step - 1e-9);
        for (long i = first; i * step <= high + 1e-9 * step; i++) {
            marks.add(i * step);
        }
        return marks;
    }

    /** A number with as many digits as tell the marks apart, thousands as "k". */
    public String label(double value) {
        if (step < 1000) {
            return plain(value);
        }
        int power = (int) Math.min(THOUSANDS.length - 1, Math.floor(Math.log10(step) / 3 + 1e-9));
        return String.format(Locale.ROOT, "%.0f%s", value / Math.pow(1000, power), value == 0 ? "" : THOUSANDS[power]);
    }

    /** A time with as many digits as tell the marks apart: "0.5 s", "20 s". */
    public String seconds(double value) {
        return plain(value) + " s";
    }

    private String plain(double value) {
        int digits = (int) Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
        return String.format(Locale.ROOT, "%." + Math.min(6, digits) + "f", value);
    }
}
