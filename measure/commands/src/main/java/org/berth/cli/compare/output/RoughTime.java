package org.berth.cli.compare.output;

import java.time.Duration;
import java.util.Locale;

/** A time that is not known exactly, in words that do not claim so: rounded by less than a tenth. Pure. */
public final class RoughTime {
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long STEP = 10;

    private RoughTime() {}

    /** "0.4 s", "85 s", "3 min 20 s", "47 min", "2 h 5 min". */
    public static String of(Duration time) {
        long seconds = Math.round(time.toNanos() / 1e9);
        if (seconds < STEP) {
            return String.format(Locale.ROOT, "%.1f s", time.toNanos() / 1e9);
        }
        if (seconds < 2 * MINUTE) {
            return seconds + " s";
        }
        if (seconds < STEP * MINUTE) {
            long tens = Math.round(seconds / (double) STEP) * STEP;
            return tens / MINUTE + " min" + (tens % MINUTE == 0 ? "" : " " + tens % MINUTE + " s");
        }
        long minutes = Math.round(seconds / (double) MINUTE);
        return seconds < HOUR ? minutes + " min" : minutes / MINUTE + " h " + minutes % MINUTE + " min";
    }
}
