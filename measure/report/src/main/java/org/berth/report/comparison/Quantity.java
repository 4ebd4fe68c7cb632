package org.berth.report.comparison;

import java.util.Locale;
import java.util.Optional;
import org.berth.experiments.Metric;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;

/**
 * What is compared, as readers call it.
 *
 * @param name such as "wall time"
 * @param unit such as "s"; may be empty
 * @param higherIsBetter as of a throughput
 */
public record Quantity(String name, String unit, boolean higherIsBetter) {
    private static final int SHORT = 1;
    private static final double FIVE_DIGITS = 9999.5;

    public static final Quantity WALL = new Quantity("wall time", "s", false);

    /** A time that is simply called "job" would not tell the reader what was measured. */
    public static Quantity of(Metric metric) {
        String name = metric.isTime() && metric.name().equals("job") ? "job time" : metric.name();
        return new Quantity(name, metric.unit(), metric.better() == Metric.Better.HIGHER);
    }

    /** Whether less of it is "faster". */
    boolean isTime() {
        return unit.equals("s") && !higherIsBetter;
    }

    /** The number with its unit. */
    public String text(double value) {
        return number(value) + suffix();
    }

    /** " s" behind each mark of an axis; a longer unit stands in the heading, where there is room on a phone. */
    public String axisSuffix() {
        return unit.length() <= SHORT ? suffix() : "";
    }

    /** " (MB/s)" for a heading, when the axis does not tell. */
    public String headingSuffix() {
        return unit.length() <= SHORT ? "" : " (" + unit + ")";
    }

    /** " s", or nothing. */
    String suffix() {
        return unit.isEmpty() ? "" : " " + unit;
    }

    /** Four digits that mean something, more only before the point. */
    public static String number(double value) {
        double size = Math.abs(value);
        return size == 0 || size >= 100
                ? count(value)
                : String.format(Locale.ROOT, size < 0.1 ? "%.4f" : "%.2f", value);
    }

    /** Without decimals; commas separate thousands from 10,000 on. */
    public static String count(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < FIVE_DIGITS ? "%.0f" : "%,.0f", value);
    }

    /** The median with the range in brackets, and the unit once. */
    public String spread(Spread spread) {
        return text(spread.median())
                + (spread.min() == spread.max()
                        ? ""
                        : " (" + number(spread.min()) + " to " + number(spread.max()) + ")");
    }

    public String median(Optional<Spread> spread) {
        return spread.map(one -> text(one.median())).orElse(ReportText.NOTHING);
    }

    public String range(Optional<Spread> spread) {
        return spread.map(one -> number(one.min()) + " to " + text(one.max())).orElse(ReportText.NOTHING);
    }

    /** A ratio to the baseline, in words: "6.0 % faster", "4.3 times slower". */
    String change(double ratio, Digits digits) {
        String word = ratio < 1 ? isTime() ? "faster" : "lower" : isTime() ? "slower" : "higher";
        return digits.change(ratio) + " " + word;
    }

    /** The end of an interval of ratios that is better for the arm. */
    double best(Ratio.Interval interval) {
        return higherIsBetter ? interval.high() : interval.low();
    }

    /** What a ratio below 1 means, for below pictures. */
    public String belowOne() {
        return isTime()
                ? "Left of 1 took less time."
                : higherIsBetter ? "Right of 1 is better: higher." : "Left of 1 is better: lower.";
    }
}
