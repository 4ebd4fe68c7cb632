package org.berth.report.comparison;

import java.util.Locale;
import java.util.Optional;
import org.berth.experiments.statistics.Ratio;

/**
 * How many decimals a ratio has in print: as many as show two digits of its interval's width. More would claim what the
 * runs do not know, and fewer could turn an interval into a point. Pure.
 *
 * @param ofPercent decimals of a percentage
 */
record Digits(int ofPercent) {
    private static final int MOST = 4;
    private static final double PERCENT = 100;
    private static final double TINY = 1e-9;

    /** The digits of a ratio whose interval is not known. */
    static final Digits ORDINARY = new Digits(1);

    static Digits of(Optional<Ratio.Interval> interval) {
        return interval.map(Digits::of).orElse(ORDINARY);
    }

    static Digits of(Ratio.Interval interval) {
        return new Digits(decimals(PERCENT * (interval.high() - interval.low())));
    }

    /** 0.06 as "6.0". */
    String percent(double share) {
        return String.format(Locale.ROOT, "%." + ofPercent + "f", PERCENT * share);
    }

    /** 0.94 as "0.940". */
    String ratio(double ratio) {
        return String.format(Locale.ROOT, "%." + (ofPercent + 2) + "f", ratio);
    }

    /** Two digits of a share, as percents: 0.0123 as "1.2", 0.123 as "12". */
    static String two(double share) {
        double percent = PERCENT * share;
        return String.format(Locale.ROOT, "%." + decimals(percent) + "f", percent);
    }

    /** That show two digits of a number; a tenth that is not quite one in binary counts as one. */
    private static int decimals(double number) {
        return (int) Math.max(0, Math.min(MOST, 1 - Math.floor(Math.log10(number * (1 + TINY)))));
    }
}
