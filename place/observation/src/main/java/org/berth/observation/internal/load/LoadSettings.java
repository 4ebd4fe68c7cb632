package org.berth.observation.internal.load;

import java.time.Duration;

/**
 * The intervals and limits of a {@link LoadMonitor}. Immutable.
 *
 * <p>The kernel counts in ticks of 10 ms, so one interval of 100 ms shows shares in steps of 10 %; over a window of
 * three it is 3.3 %. Between the two thresholds a CPU stays what it was (hysteresis), so that one at the edge does not
 * flap.
 *
 * @param interval between two samples, 10 ms to 1 minute; 100 ms by default
 * @param window over how many intervals a share is taken, 1 to 1000; 3 by default
 * @param idleAtMost share of busy time, 0 to 1, at or below which a CPU becomes idle; 0.2 by default
 * @param busyAtLeast share of busy time, 0 to 1, at or above which it becomes busy, more than idleAtMost; 0.5 by
 * default
 * @since 0.1.0
 */
public record LoadSettings(Duration interval, int window, double idleAtMost, double busyAtLeast) {
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int WIDEST = 1000;

    // Behind the bounds, which it is checked by.
    private static final LoadSettings DEFAULTS = new LoadSettings(Duration.ofMillis(100), 3, 0.2, 0.5);

    /**
     * Checks them.
     *
     * @throws IllegalArgumentException one line that says which is out of its bounds
     */
    public LoadSettings {
        if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("interval " + interval.toMillis() + " ms: choose 10 ms to 1 minute");
        }
        if (window < 1 || window > WIDEST) {
            throw new IllegalArgumentException("window " + window + ": choose 1 to " + WIDEST + " intervals");
        }
        if (!(idleAtMost >= 0 && idleAtMost < busyAtLeast && busyAtLeast <= 1)) {
            throw new IllegalArgumentException("idle at most " + idleAtMost + " and busy at least " + busyAtLeast
                    + ": choose shares from 0 to 1, the first one smaller");
        }
    }

    /** 100 ms, 3 intervals, idle at 20 % or less, busy at 50 % or more. */
    public static LoadSettings defaults() {
        return DEFAULTS;
    }
}
