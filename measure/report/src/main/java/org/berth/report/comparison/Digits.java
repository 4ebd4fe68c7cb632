package org.berth.report.comparison;

import java.util.Locale;
import java.util.Optional;
import org.berth.experiments.statistics.Ratio;

/**
 * How many decimals a ratio has in print: as many as show two digits of its interval's width. More would claim what the
 * runs do not know, and fewer could turn an interval into a point. Pure.
 *
 * @param ofPercent decimals of a percentage; negative where its last digits before the point mean nothing, too
 */
record Digits(int ofPercent) {
    private static final int MOST = 4;
    private static final double PERCENT = 100;
    private static final double TINY = 1e-9;

    /** Beyond it percents are hard to read: 331 % more is 4.3 times. */
    private static final double FACTOR = 2;

    /** The digits of a ratio whose interval is not known. */
    static final Digits ORDINARY = new Digits(1);

    static Digits of(Optional<Ratio.Interval> interval) {
        return interval.map(Digits::of).orElse(ORDINARY);
    }

    static Digits of(Ratio.Interval interval) {
        double width = PERCENT * (interval.high() - interval.low());
        return new Digits((int) Math.max(-2, Math.min(MOST, firstDigit(width))));
    }

    /** 0.06 as "6.0". */
    String percent(double share) {
        return String.format(Locale.ROOT, "%." + Math.max(0, ofPercent) + "f", PERCENT * share);
    }

    /** How far a ratio is from 1, without the direction: 0.94 as "6.0 %", 4.31 as "4.3 times". */
    String change(double ratio) {
        return ratio <= FACTOR ? percent(Math.abs(1 - ratio)) + " %" : times(ratio);
    }

    /** The same for an interval on one side of 1; both ends have the same unit. */
    String change(Ratio.Interval interval) {
        if (interval.high() > FACTOR) {
            return ratio(interval.low()) + " to " + times(interval.high());
        }
        double one = Math.abs(1 - interval.low());
        double other = Math.abs(1 - interval.high());
        return percent(Math.min(one, other)) + " to " + percent(Math.max(one, other)) + " %";
    }

    private String times(double ratio) {
        return (equals(ORDINARY) ? String.format(Locale.ROOT, "%.1f", ratio) : ratio(ratio)) + " times";
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
        return (int) Math.max(0, Math.min(MOST, firstDigit(number)));
    }

    private static double firstDigit(double number) {
        return 1 - Math.floor(Math.log10(number * (1 + TINY)));
    }
}
