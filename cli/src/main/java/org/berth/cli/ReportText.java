package org.berth.cli;

import java.util.Locale;
import java.util.Optional;
import org.berth.experiments.Ratio;
import org.berth.experiments.Spread;

/** Numbers of the report as text, with their units. */
final class ReportText {
    static final String NOTHING = "–";

    private ReportText() {}

    static String seconds(double seconds) {
        return String.format(Locale.ROOT, seconds < 0.1 ? "%.4f s" : seconds < 100 ? "%.2f s" : "%.0f s", seconds);
    }

    static String median(Optional<Spread> spread) {
        return spread.map(one -> seconds(one.median())).orElse(NOTHING);
    }

    static String range(Optional<Spread> spread) {
        return spread.map(one -> seconds(one.min()) + " to " + seconds(one.max()))
                .orElse(NOTHING);
    }

    static String estimate(Optional<Ratio> ratio) {
        return ratio.map(one -> number(one.estimate())).orElse(NOTHING);
    }

    static String interval(Optional<Ratio> ratio) {
        return ratio.flatMap(Ratio::interval)
                .map(one -> number(one.low()) + " to " + number(one.high()))
                .orElse(NOTHING);
    }

    static String number(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }
}
