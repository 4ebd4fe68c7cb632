package org.berth.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Numbers on an axis with round marks. Positions are shares of the width of the picture, in percent, so that text keeps
 * its size on every screen.
 *
 * @param step distance of two marks
 */
public record ReportScale(double low, double high, double step) {
    private static final double MARGIN_PERCENT = 3;
    private static final int MOST_MARKS = 5;
    private static final double[] ROUND = {1, 2, 5, 10};

    /** From zero on. */
    public static ReportScale fromZero(DoubleStream values) {
        double high = values.filter(Double::isFinite).max().orElse(1);
        return around(0, high > 0 ? high : 1);
    }

    /** From the smallest to the largest, with a little air; the axis need not show zero. */
    public static ReportScale of(DoubleStream values) {
        double[] all = values.filter(Double::isFinite).sorted().toArray();
        double low = all.length == 0 ? 0 : all[0];
        double high = all.length == 0 ? 1 : all[all.length - 1];
        double air = high > low ? 0.08 * (high - low) : Math.max(0.01, 0.05 * Math.abs(high));
        return around(low - air, high + air);
    }

    private static ReportScale around(double low, double high) {
        double rough = (high - low) / MOST_MARKS;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double step = 10 * power;
        for (double round : ROUND) {
            if (round * power >= rough * (1 - 1e-9)) {
                step = round * power;
                break;
            }
        }
        return new ReportScale(low, high, step);
    }

    /** Where a number stands, in percent of the width. */
    double percent(double value) {
        return MARGIN_PERCENT + (100 - 2 * MARGIN_PERCENT) * share(value);
    }

    /** 0 for the low end, 1 for the high end. */
    double share(double value) {
        return (value - low) / (high - low);
    }

    /** For below a picture. */
    String beginning() {
        return low > 0 ? " The axis does not begin at 0." : "";
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

    /** A number with as many digits as tell the marks apart. */
    public String label(double value) {
        if (step >= 1000) {
            String[] thousands = {"", "k", "M", "G", "T"};
            int power = (int) Math.min(thousands.length - 1, Math.floor(Math.log10(step) / 3 + 1e-9));
            return String.format(
                    Locale.ROOT, "%.0f%s", value / Math.pow(1000, power), value == 0 ? "" : thousands[power]);
        }
        int digits = (int) Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
        return String.format(Locale.ROOT, "%." + Math.min(6, digits) + "f", value);
    }
}
