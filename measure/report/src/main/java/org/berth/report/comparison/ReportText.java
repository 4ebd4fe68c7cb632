package org.berth.report.comparison;

import java.util.Locale;
import java.util.Optional;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;

/** Numbers of the report as text, with their units. */
public final class ReportText {
    public static final String NOTHING = "–";

    private ReportText() {}

    public static String variation(Optional<Spread> spread) {
        return spread.filter(one -> one.variation().isPresent())
                .map(one -> String.format(
                        Locale.ROOT, "%.1f %%", 100 * one.variation().getAsDouble()))
                .orElse(NOTHING);
    }

    public static String estimate(Optional<Ratio> ratio) {
        return ratio.map(one -> Digits.of(one.interval()).ratio(one.estimate())).orElse(NOTHING);
    }

    public static String interval(Optional<Ratio> ratio) {
        return ratio.flatMap(Ratio::interval)
                .map(one -> Digits.of(one).ratio(one.low()) + " to "
                        + Digits.of(one).ratio(one.high()))
                .orElse(NOTHING);
    }

    public static String number(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }
}
