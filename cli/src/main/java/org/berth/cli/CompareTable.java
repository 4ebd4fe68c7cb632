package org.berth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.berth.experiments.ArmSummary;
import org.berth.experiments.Ratio;
import org.berth.experiments.Spread;
import org.berth.experiments.Summary;
import org.berth.observation.MigrationCount;
import org.berth.placement.AffinityLevel;

/** What came out of a comparison as a table and a sentence. */
final class CompareTable {
    private static final String NOTHING = "-";

    /** What the columns mean, for below the table. */
    static final List<String> LEGEND = List.of(
            "Ratios: of the two runs of a round, over all rounds, with an interval from 5 rounds on; all intervals of a"
                    + " column hold together in 95 %. CV: standard deviation by mean.",
            "MOVES: per run, of all threads of its JVMs and (in brackets) of its workers; the way into a place counts too.",
            "IN PLACE: of the samples of running worker threads, those in which the thread was bound to a place of the plan.");

    private CompareTable() {}

    /** @param same levels that were not run, with the reason */
    static List<String> render(Summary summary, Map<AffinityLevel, String> same) {
        boolean metric = summary.arms().stream().anyMatch(arm -> arm.metric().isPresent());
        String baseline = summary.arms().get(0).arm();
        List<List<String>> cells = new ArrayList<>();
        cells.add(heading(metric, baseline));
        for (ArmSummary arm : summary.arms()) {
            cells.add(row(arm, metric));
        }
        List<String> lines = align(cells);
        same.forEach((level, why) -> lines.add(String.format(Locale.ROOT, "%-7s%s", Arguments.lower(level), why)));
        return lines;
    }

    private static List<String> heading(boolean metric, String baseline) {
        List<String> cells = new ArrayList<>(List.of("LEVEL", "RUNS", "WALL (MIN-MAX)", "CV", "RATIO TO " + baseline));
        if (metric) {
            cells.addAll(List.of("JOB (MIN-MAX)", "CV", "RATIO TO " + baseline));
        }
        cells.addAll(List.of("CPU MOVES", "NODE MOVES", "IN PLACE", "FAILED"));
        return cells;
    }

    private static List<String> row(ArmSummary arm, boolean metric) {
        List<String> cells = new ArrayList<>(List.of(
                arm.arm(),
                Integer.toString(arm.completed()),
                seconds(arm.wallSeconds()),
                variation(arm.wallSeconds()),
                ratio(arm.wallRatio())));
        if (metric) {
            cells.addAll(List.of(seconds(arm.metric()), variation(arm.metric()), ratio(arm.metricRatio())));
        }
        boolean lowerBound = arm.source() == MigrationCount.Source.SAMPLES;
        cells.addAll(List.of(
                moves(lowerBound ? ">=" : "", arm.betweenCpus(), arm.workersBetweenCpus()),
                moves("", arm.betweenNodes(), arm.workersBetweenNodes()),
                share(arm),
                Integer.toString(arm.failed() + arm.timedOut())));
        return cells;
    }

    private static String share(ArmSummary arm) {
        return arm.residency().share().isPresent()
                ? String.format(
                        Locale.ROOT, "%.1f %%", 100 * arm.residency().share().getAsDouble())
                : NOTHING;
    }

    private static String seconds(Optional<Spread> spread) {
        return spread.map(one -> String.format(Locale.ROOT, "%.2f s (%.2f-%.2f)", one.median(), one.min(), one.max()))
                .orElse(NOTHING);
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

    private static String moves(String bound, Optional<Spread> all, Optional<Spread> workers) {
        return all.isEmpty() || workers.isEmpty()
                ? NOTHING
                : String.format(
                        Locale.ROOT,
                        "%s%.0f (%.0f)",
                        bound,
                        all.get().median(),
                        workers.get().median());
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
