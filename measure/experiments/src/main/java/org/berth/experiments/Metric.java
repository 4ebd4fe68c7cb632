package org.berth.experiments;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number that the work itself prints, such as the time of the job without the start of the JVM, or its throughput.
 * When it is printed several times, the last one counts.
 *
 * @param name for tables, such as {@code job}
 * @param unit of the number, such as {@code s}; empty for a plain number
 * @param better which way is better
 * @param pattern applied to each line of the output; its first group is the number
 */
public record Metric(String name, String unit, Better better, Pattern pattern) {
    /** Which way is better. */
    public enum Better {
        /** A time or a latency. */
        LOWER,
        /** A throughput. */
        HIGHER
    }

    /** Requires a name and a pattern with a group. */
    public Metric {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a metric needs a name");
        }
        if (pattern.matcher("").groupCount() < 1) {
            throw new IllegalArgumentException("the pattern of metric " + name + " has no group: " + pattern);
        }
    }

    /** A number of which less is better. Requires a name and a pattern with a group. */
    public Metric(String name, String unit, Pattern pattern) {
        this(name, unit, Better.LOWER, pattern);
    }

    /** Whether it is a time in seconds, which is called faster or slower. */
    public boolean isTime() {
        return unit.equals("s") && better == Better.LOWER;
    }

    /** The number in a line of output, if the line has it. */
    public Optional<PrintedNumber> find(String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.find() ? Optional.ofNullable(matcher.group(1)).flatMap(PrintedNumber::parse) : Optional.empty();
    }
}
