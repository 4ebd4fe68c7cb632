package org.berth.cli.compare.arms;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Metric;

/** Parses a metric: {@code NAME=REGEX}, {@code NAME[UNIT]=REGEX} or {@code NAME[UNIT,higher]=REGEX}. */
public final class MetricOption {
    /** Name, unit, direction, expression. */
    private static final Pattern FORM = Pattern.compile(
            "([^=\\[\\]]*[^=\\[\\]\\s])(?:\\[([^\\[\\],]*)(?:,([^\\[\\]]*))?\\])?=(.*)", Pattern.DOTALL);

    private static final String SECONDS = "s";

    private MetricOption() {}

    public static Metric parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw CommandException.usage("--metric '" + text
                    + "': write NAME=REGEX, such as 'job=took ([0-9.]+) s' or 'rate[MB/s,higher]=rate ([0-9.]+)'");
        }
        String name = form.group(1).strip();
        String unit = form.group(2) == null ? SECONDS : form.group(2).strip();
        String regex = form.group(4);
        try {
            return new Metric(name, unit, better(name, form.group(3)), Pattern.compile(regex));
        } catch (PatternSyntaxException e) {
            throw CommandException.usage("--metric " + name + ": '" + regex + "' is not a regular expression: "
                    + e.getDescription() + " near index " + e.getIndex());
        } catch (IllegalArgumentException noGroup) {
            throw CommandException.usage("--metric " + name + ": '" + regex
                    + "' has no group; put the number into parentheses, such as 'took ([0-9.]+) s'");
        }
    }

    private static Metric.Better better(String name, String word) {
        return switch (word == null ? "lower" : word.strip()) {
            case "lower" -> Metric.Better.LOWER;
            case "higher" -> Metric.Better.HIGHER;
            default ->
                throw CommandException.usage("--metric " + name + ": which is better, '" + word.strip()
                        + "'? Give [UNIT,lower] or [UNIT,higher]");
        };
    }
}
