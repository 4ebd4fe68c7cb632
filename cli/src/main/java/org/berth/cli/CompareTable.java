package org.berth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.berth.experiments.ArmMetric;
import org.berth.experiments.ArmSummary;
import org.berth.experiments.Metric;
import org.berth.experiments.Ratio;
import org.berth.experiments.Spread;
import org.berth.experiments.Summary;
import org.berth.placement.AffinityLevel;

/** What came out of a comparison as a table and a sentence. */
final class CompareTable {
    private static final String NOTHING = "-";

    /** What the columns mean, for below the table. */
    static final List<String> LEGEND = List.of(
            "Ratios: of the two runs of a round, over all rounds, with an interval from 5 rounds on; all intervals of the"
                    + " printed numbers, or of the wall time, hold together in 95 %. CV: standard deviation by mean.",
            "IN PLACE: of the samples of running worker threads, those in which the thread was bound to a place of the plan.");

    private CompareTable() {}

    /** @param same levels that were not run, with the reason */
    static List<String> render(Summary summary, Map<AffinityLevel, String> same) {
        List<Metric> metrics = printed(summary);
        String baseline = summary.arms().get(0).arm();
        List<List<String>> cells = new ArrayList<>();
        cells.add(heading(metrics, baseline));
        for (ArmSummary arm : summary.arms()) {
            cells.add(row(arm, metrics));
        }
        List<String> lines = align(cells);
        same.forEach((level, why) -> lines.add(String.format(Locale.ROOT, "%-7s%s", Arguments.lower(level), why)));
        return lines;
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

    private static List<String> heading(List<Metric> metrics, String baseline) {
        List<String> cells = new ArrayList<>(List.of("LEVEL", "RUNS", "WALL (MIN-MAX)", "CV", "RATIO TO " + baseline));
        for (Metric metric : metrics) {
            cells.addAll(List.of(metric.name().toUpperCase(Locale.ROOT) + " (MIN-MAX)", "CV", "RATIO TO " + baseline));
        }
        cells.addAll(List.of("IN PLACE", "FAILED"));
        return cells;
    }

    private static List<String> row(ArmSummary arm, List<Metric> metrics) {
        List<String> cells = new ArrayList<>(List.of(arm.arm(), Integer.toString(arm.completed())));
        measure(cells, Quantity.WALL, arm.wallSeconds(), arm.wallRatio());
        arm.metrics().stream()
                .filter(one -> metrics.contains(one.metric()))
                .forEach(one -> measure(cells, Quantity.of(one.metric()), one.values(), one.ratio()));
        cells.addAll(List.of(share(arm), Integer.toString(arm.failed() + arm.timedOut())));
        return cells;
    }

    private static void measure(List<String> cells, Quantity quantity, Optional<Spread> values, Optional<Ratio> ratio) {
        cells.add(values.map(one -> quantity.text(one.median()) + " (" + Quantity.number(one.min()) + "-"
                        + Quantity.number(one.max()) + ")")
                .orElse(NOTHING));
        cells.add(variation(values));
        cells.add(ratio(ratio));
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
        return ratio.map(one -> one.interval()
                        .map(interval -> String.format(
                                Locale.ROOT, "%.2f (%.2f-%.2f)", one.estimate(), interval.low(), interval.high()))
                        .orElse(String.format(Locale.ROOT, "%.2f", one.estimate())))
                .orElse(NOTHING);
    }

    /** The first column to the left, numbers to the right. */
    static List<String> align(List<List<String>> cells) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : cells) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                int index = column;
                int width = cells.stream()
                        .mapToInt(one -> one.get(index).length())
                        .max()
                        .orElse(0);
                String cell = row.get(column);
                String space = " ".repeat(width - cell.length());
                line.append(column == 0 ? cell + space : "  " + space + cell);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
