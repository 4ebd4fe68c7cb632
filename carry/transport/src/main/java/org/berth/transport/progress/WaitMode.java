package org.berth.transport.progress;

import java.util.Arrays;
import java.util.Locale;
import org.berth.text.Words;

/**
 * What a thread does while there is nothing to do.
 *
 * @since 0.1.0
 */
public enum WaitMode {
    /** It asks again at once: the shortest latency, for one CPU that does nothing else. */
    SPIN,
    /** It sleeps until the kernel wakes it: no CPU time, for the price of a wake-up. */
    EVENT,
    /** It asks for about as long as messages were apart lately, 50 microseconds at most, then sleeps. */
    HYBRID;

    /** The name that users write, in lower case. */
    public String word() {
        return Words.of(this);
    }

    /**
     * The mode that a user named, in upper or lower case.
     *
     * @throws IllegalArgumentException one line with the choices, when there is no such mode
     */
    public static WaitMode parse(String text) {
        return Arrays.stream(values())
                .filter(mode -> mode.word().equals(text.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("unknown wait mode '" + text + "': choose spin, event or hybrid"));
    }
}
