package org.berth.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;
import org.berth.report.comparison.Quantity;
import org.berth.report.comparison.ReportText;
import org.berth.text.Words;

/** The tables of the report, for any form of it; the first row is the heading. Pure functions. */
public final class ReportTables {
    private ReportTables() {}

    /** One number, a row an arm. */
    static List<List<String>> numbers(ReportData data, ReportMeasure measure) {
        Quantity quantity = measure.quantity();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "Arm",
                Words.capital(quantity.name()) + ", median",
                "Smallest to largest",
                "Variation",
                "Ratio (95 % interval)",
                "Runs"));
        for (int i = 0; i < data.arms().size(); i++) {
            Optional<Spread> spread = measure.spreads().get(i);
            ReportArm arm = data.arms().get(i);
            rows.add(List.of(
                    arm.name(),
                    quantity.median(spread),
                    quantity.range(spread),
                    ReportText.variation(spread),
                    ratio(measure.ratios().get(i)),
                    spread.map(Spread::count).orElse(0)
                            + (arm.bad() == 0 ? "" : ", and " + arm.bad() + " not completed")));
        }
        return rows;
    }

    public static String ratio(Optional<Ratio> ratio) {
        return ReportText.estimate(ratio)
                + ratio.flatMap(Ratio::interval)
                        .map(interval -> " (" + ReportText.interval(ratio) + ")")
                        .orElse("");
    }

    /** A row a counter, a column an arm. */
    static List<List<String>> counters(ReportData data) {
        Set<String> labels = new LinkedHashSet<>();
        data.arms().forEach(arm -> arm.counters().forEach(fact -> labels.add(fact.label())));
        List<List<String>> rows = new ArrayList<>();
        List<String> heading = new ArrayList<>(List.of("Median per run (range)"));
        data.arms().forEach(arm -> heading.add(arm.name()));
        rows.add(heading);
        for (String label : labels) {
            List<String> row = new ArrayList<>(List.of(label));
            data.arms()
                    .forEach(arm -> row.add(arm.counters().stream()
                            .filter(fact -> fact.label().equals(label))
                            .map(ReportFact::value)
                            .findFirst()
                            .orElse(ReportText.NOTHING)));
            rows.add(row);
        }
        return rows;
    }
}
