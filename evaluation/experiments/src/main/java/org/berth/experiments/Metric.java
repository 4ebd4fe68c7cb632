package org.berth.experiments;

import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number that the work itself prints, such as the time of the job without the start of the JVM. When it is printed
 * several times, the last one counts.
 *
 * @param name for tables, such as {@code job}
 * @param unit of the number, such as {@code s}
 * @param pattern applied to each line of the output; its first group is the number
 */
public record Metric(String name, String unit, Pattern pattern) {
    /** Requires a pattern with a group. */
    public Metric {
        if (pattern.matcher("").groupCount() < 1) {
            throw new IllegalArgumentException("the pattern of metric " + name + " has no group: " + pattern);
        }
    }

    /** The number in a line of output, if the line has it. */
    OptionalDouble find(String line) {
        Matcher matcher = pattern.matcher(line);
        if (!matcher.find() || matcher.group(1) == null) {
            return OptionalDouble.empty();
        }
        try {
            return OptionalDouble.of(Double.parseDouble(matcher.group(1)));
        } catch (NumberFormatException notANumber) {
            return OptionalDouble.empty();
        }
    }
}
