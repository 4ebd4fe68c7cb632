package org.berth.report.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.berth.experiments.Metric;
import org.berth.experiments.result.ArmMetric;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.Summary;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;
import org.berth.text.TextTable;

/** What came out of a comparison as a table and a sentence. */
final class ComparisonTable {
    private static final String NOTHING = "-";

    /** What the columns mean, for below the table. */
    static final List<String> LEGEND = List.of(
            "RATIO: estimated from the pairs of runs of each round, with an interval from 5 rounds on; the confidence of 95 %"
                    + " holds for all intervals of the printed numbers, or of the wall time, together. CV: standard deviation"
                    + " divided by mean.",
            "IN PLACE: share of the samples of running threads in which the thread was bound to its slot and ran there; of all"
                    + " threads when the process is bound as a whole, otherwise of those that have a slot.");

    private ComparisonTable() {}

    /**
     * @param same levels that were not run, with the reason
     * @param columns the width that is there: groups of columns that do not fit go on below
     */
    static List<String> render(Summary summary, Map<String, String> same, int columns) {
        List<ArmSummary> arms = summary.arms();
        String ratio = "RATIO TO " + arms.get(0).arm();
        List<Metric> printed = printed(summary);
        List<String> heading = new ArrayList<>(List.of("ARM", "RUNS", "FAILED", "WALL (MIN-MAX)", "CV", ratio));
        List<Integer> groups = new ArrayList<>(List.of(2, 3));
        for (Metric metric : printed) {
            heading.addAll(List.of(metric.name().toUpperCase(Locale.ROOT) + " (MIN-MAX)", "CV", ratio));
            groups.add(3);
        }
        heading.add("IN PLACE");
        groups.add(1);
        TextTable table = TextTable.ofNumbers().row(heading);
        arms.forEach(arm -> table.row(cells(arm, printed)));
        List<String> lines = table.lines(columns, groups);
        int width = same.keySet().stream().mapToInt(String::length).max().orElse(0);
        same.forEach((level, why) -> lines.add(TextTable.pad(level, Math.max(7, width)) + why));
        return lines;
    }

    /** What most readers need: the number of the verdict, its ratio, and the verdict in a word. */
    static List<String> renderBrief(Summary summary, Map<String, String> same, int columns) {
        List<ArmSummary> arms = summary.arms();
        Optional<Metric> metric = printed(summary).stream()
                .findFirst()
                .filter(one -> arms.stream().anyMatch(ArmSummary::isJudgedByMetric));
        boolean failures = arms.stream().anyMatch(arm -> arm.failed() + arm.timedOut() > 0);
        List<String> heading = new ArrayList<>(List.of("ARM", "RUNS"));
        if (failures) {
            heading.add("FAILED");
        }
        heading.addAll(List.of(
                metric.map(one -> one.name().toUpperCase(Locale.ROOT)).orElse("WALL") + " (MIN-MAX)",
                "CV",
                "RATIO TO " + arms.get(0).arm(),
                "VERDICT"));
        TextTable table = TextTable.ofNumbers().row(heading);
        for (ArmSummary arm : arms) {
            List<String> cells = new ArrayList<>(List.of(arm.arm(), Integer.toString(arm.completed())));
            if (failures) {
                cells.add(Integer.toString(arm.failed() + arm.timedOut()));
            }
            cells.addAll(metric.map(one -> measure(arm, one))
                    .orElseGet(() -> measure(Quantity.WALL, arm.wallSeconds(), arm.wallRatio())));
            cells.add(Answer.word(summary, arm));
            table.row(cells);
        }
        List<String> lines = table.lines(columns, List.of(failures ? 2 : 1, 3, 1));
        same.forEach((level, why) -> lines.add(level + ": " + why));
        return lines;
    }

    private static List<String> cells(ArmSummary arm, List<Metric> printed) {
        List<String> cells = new ArrayList<>(
                List.of(arm.arm(), Integer.toString(arm.completed()), Integer.toString(arm.failed() + arm.timedOut())));
        cells.addAll(measure(Quantity.WALL, arm.wallSeconds(), arm.wallRatio()));
        printed.forEach(metric -> cells.addAll(measure(arm, metric)));
        cells.add(share(arm));
        return cells;
    }

    /** Numbers that at least one run printed. */
    private static List<Metric> printed(Summary summary) {
        return summary.arms().stream()
                .flatMap(arm -> arm.metrics().stream())
                .filter(metric -> metric.values().isPresent())
                .map(ArmMetric::metric)
                .distinct()
                .toList();
    }

    private static List<String> measure(ArmSummary arm, Metric metric) {
        return arm.metrics().stream()
                .filter(one -> one.metric().equals(metric))
                .findFirst()
                .map(one -> measure(Quantity.of(metric), one.values(), one.ratio()))
                .orElse(List.of(NOTHING, NOTHING, NOTHING));
    }

    private static List<String> measure(Quantity quantity, Optional<Spread> values, Optional<Ratio> ratio) {
        return List.of(
                values.map(one -> quantity.text(one.median()) + " (" + Quantity.number(one.min()) + "-"
                                + Quantity.number(one.max()) + ")")
                        .orElse(NOTHING),
                variation(values),
                ratio(ratio));
    }

    private static String share(ArmSummary arm) {
        return arm.residency().share().isPresent()
                ? String.format(
                        Locale.ROOT, "%.1f %%", 100 * arm.residency().share().getAsDouble())
                : NOTHING;
    }

    private static String variation(Optional<Spread> spread) {
        return spread.filter(one -> one.variation().isPresent())
                .map(one -> String.format(
                        Locale.ROOT, "%.1f %%", 100 * one.variation().getAsDouble()))
                .orElse(NOTHING);
    }

    private static String ratio(Optional<Ratio> ratio) {
        return ratio.map(one -> {
                    Digits digits = Digits.of(one.interval());
                    return digits.ratio(one.estimate())
                            + one.interval()
                                    .map(ends ->
                                            " (" + digits.ratio(ends.low()) + "-" + digits.ratio(ends.high()) + ")")
                                    .orElse("");
                })
                .orElse(NOTHING);
    }
}
