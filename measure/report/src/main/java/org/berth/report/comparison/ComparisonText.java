package org.berth.report.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.result.OtherWork;
import org.berth.experiments.result.Summary;
import org.berth.text.WordWrap;

/** A comparison as lines for a terminal: tables, what their columns mean, verdicts and doubts. Pure functions. */
public final class ComparisonText {
    private static final String SAME_RESULT = "All runs computed the same result (";

    private ComparisonText() {}

    /**
     * All of it, an empty line before each part.
     *
     * @param doubts see {@link #doubts}
     * @param columns the width that tables have: groups of columns that do not fit go on below
     * @param width of paragraphs
     */
    public static List<String> render(Comparison comparison, List<String> doubts, int columns, int width) {
        Summary summary = comparison.result().summary();
        List<String> lines = new ArrayList<>(List.of(""));
        lines.addAll(ComparisonTable.render(summary, comparison.same(), columns));
        lines.add("");
        lines.addAll(wrapped(ComparisonTable.LEGEND, width));
        lines.addAll(wrapped(notRun(comparison), width));
        add(lines, MigrationTable.render(summary), MigrationTable.LEGEND, width);
        List<String> usage = UsageTable.render(summary);
        add(lines, usage, UsageTable.LEGEND, width);
        if (!usage.isEmpty()) {
            lines.addAll(wrapped(UsageTable.missing(comparison.result()), width));
        }
        lines.add("");
        lines.addAll(wrapped(warnings(comparison), width));
        List<String> verdicts = VerdictText.inText(summary);
        lines.addAll(VerdictText.isTable(summary) ? verdicts : wrapped(verdicts, width));
        lines.addAll(wrapped(doubts, width));
        return lines;
    }

    /** What most readers need: the arms with a word for each, and what makes the numbers doubtful. */
    public static List<String> renderBrief(Comparison comparison, List<String> doubts, int columns, int width) {
        Summary summary = comparison.result().summary();
        List<String> lines = new ArrayList<>(List.of(""));
        lines.addAll(ComparisonTable.renderBrief(summary, comparison.same(), columns));
        lines.add("");
        lines.addAll(wrapped(notRun(comparison), width));
        lines.addAll(wrapped(warnings(comparison), width));
        lines.addAll(wrapped(VerdictText.furtherDifferences(summary), width));
        lines.addAll(wrapped(doubts, width));
        return lines;
    }

    private static List<String> notRun(Comparison comparison) {
        return comparison.absent().stream()
                .map(line -> "Not run: " + line + ".")
                .toList();
    }

    /** What must stand above a verdict. */
    private static List<String> warnings(Comparison comparison) {
        List<String> lines = new ArrayList<>(comparison.fewerCpus());
        lines.addAll(comparison.unplaced());
        lines.addAll(comparison.unprintedLines());
        return lines;
    }

    private static List<String> wrapped(List<String> paragraphs, int width) {
        return paragraphs.stream()
                .flatMap(line -> WordWrap.wrap(line, width).stream())
                .toList();
    }

    private static void add(List<String> lines, List<String> table, String legend, int width) {
        if (!table.isEmpty()) {
            lines.add("");
            lines.addAll(table);
            lines.add("");
            lines.addAll(WordWrap.wrap(legend, width));
        }
    }

    /**
     * What makes the numbers doubtful, or does not.
     *
     * @param results what the completed runs printed as their result; one text when all computed the same
     */
    public static List<String> doubts(ExperimentResult result, Set<String> results) {
        List<String> doubts = new ArrayList<>();
        if (result.stopped()) {
            doubts.add("Stopped before the end: the table holds the runs that were complete. The same command line with"
                    + " --resume " + result.directory() + " instead of --results makes the others.");
        }
        if (results.size() > 1) {
            doubts.add("The runs did NOT compute the same: " + String.join(" | ", results) + ".");
        } else if (results.size() == 1) {
            doubts.add(SAME_RESULT + results.iterator().next() + ").");
        }
        OtherWork.of(result.trials()).flatMap(ComparisonText::disturbance).ifPresent(doubts::add);
        return doubts;
    }

    /** Whether a line of {@link #doubts} is the one that raises none. */
    public static boolean isOfSameResult(String line) {
        return line.startsWith(SAME_RESULT);
    }

    /** The doubt that other work on the machine raises; empty when there was little of it. */
    public static Optional<String> disturbance(OtherWork others) {
        return others.disturbs()
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "Other work took up to %.0f %% of the CPU time of all CPUs during a run (median %.0f %%): it"
                                + " disturbs these numbers. All that the command did not start counts, also a"
                                + " server that it talks to.",
                        100 * others.max(),
                        100 * others.median()))
                : Optional.empty();
    }
}
