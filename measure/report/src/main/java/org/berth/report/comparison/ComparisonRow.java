package org.berth.report.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.experiments.Verdict;
import org.berth.experiments.result.ArmMetric;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.Summary;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;

/**
 * One arm and one number of a comparison, for tables that leave Berth. Immutable.
 *
 * @param runs how many completed
 * @param failed how many did not
 * @param ratio to the baseline; empty for the baseline itself
 * @param verdict in a few words, such as "no significant difference"
 */
public record ComparisonRow(
        Quantity quantity,
        String arm,
        int runs,
        int failed,
        Optional<Spread> values,
        Optional<Ratio> ratio,
        String verdict) {
    private static final String BASELINE = "baseline";

    /** The rows of each number that has verdicts, the baseline first. Pure. */
    public static List<ComparisonRow> of(Summary summary) {
        List<ComparisonRow> rows = new ArrayList<>();
        boolean printed = summary.arms().stream().anyMatch(ArmSummary::isJudgedByMetric);
        int numbers = Math.max(1, summary.arms().get(0).metrics().size());
        for (int i = 0; i < numbers; i++) {
            for (ArmSummary arm : summary.arms()) {
                boolean first = arm.equals(summary.arms().get(0));
                rows.add(
                        i > 0 || printed
                                ? of(
                                        arm,
                                        arm.metrics().get(i),
                                        first,
                                        summary.claims().margin())
                                : ofWall(arm, first, summary.claims().margin()));
            }
        }
        return rows;
    }

    private static ComparisonRow of(ArmSummary arm, ArmMetric metric, boolean first, double margin) {
        Quantity quantity = Quantity.of(metric.metric());
        Verdict verdict = arm.verdict(metric, margin);
        return of(quantity, arm, metric.values(), metric.ratio(), first ? BASELINE : word(verdict, quantity, margin));
    }

    private static ComparisonRow ofWall(ArmSummary arm, boolean first, double margin) {
        String verdict = first ? BASELINE : word(arm.verdict(margin), Quantity.WALL, margin);
        return of(Quantity.WALL, arm, arm.wallSeconds(), arm.wallRatio(), verdict);
    }

    private static ComparisonRow of(
            Quantity quantity, ArmSummary arm, Optional<Spread> values, Optional<Ratio> ratio, String verdict) {
        return new ComparisonRow(quantity, arm.arm(), arm.completed(), arm.bad(), values, ratio, verdict);
    }

    private static String word(Verdict verdict, Quantity quantity, double margin) {
        return VerdictTable.word(verdict.kind(), quantity, margin);
    }
}
