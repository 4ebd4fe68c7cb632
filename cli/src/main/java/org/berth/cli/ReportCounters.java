package org.berth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.berth.experiments.ArmSummary;
import org.berth.experiments.Spread;
import org.berth.observation.MigrationCount;

/** What was counted of one arm, as lines of the report. */
final class ReportCounters {
    private ReportCounters() {}

    static List<ReportFact> of(ArmSummary arm) {
        String bound = arm.source() == MigrationCount.Source.SAMPLES ? "at least " : "";
        List<ReportFact> facts = new ArrayList<>();
        add(facts, "Moves between CPUs per run, all threads", bound, arm.betweenCpus());
        add(facts, "Moves between CPUs per run, workers", bound, arm.workersBetweenCpus());
        add(facts, "Moves between NUMA nodes per run, all threads", "at least ", arm.betweenNodes());
        add(facts, "Moves between NUMA nodes per run, workers", "at least ", arm.workersBetweenNodes());
        facts.add(new ReportFact(
                "Samples of running workers in place",
                arm.residency().share().isEmpty()
                        ? ReportText.NOTHING
                        : String.format(
                                Locale.ROOT,
                                "%.1f %% of %d",
                                100 * arm.residency().share().getAsDouble(),
                                arm.residency().counted())));
        facts.add(new ReportFact("Runs that failed", Integer.toString(arm.failed())));
        facts.add(new ReportFact("Runs that took too long", Integer.toString(arm.timedOut())));
        return facts;
    }

    private static void add(List<ReportFact> facts, String label, String bound, Optional<Spread> spread) {
        facts.add(new ReportFact(
                label,
                spread.map(one -> String.format(
                                Locale.ROOT, "%s%.0f (%.0f to %.0f)", bound, one.median(), one.min(), one.max()))
                        .orElse(ReportText.NOTHING)));
    }
}
