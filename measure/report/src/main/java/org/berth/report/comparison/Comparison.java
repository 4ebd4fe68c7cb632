package org.berth.report.comparison;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.experiments.Arm;
import org.berth.experiments.Metric;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.ExperimentResult;
import org.berth.placement.PlacementPlan;

/**
 * An experiment that has run, with what its reports show about its arms. Immutable.
 *
 * @param plans of the levels that were run, by the name of the arm, in their order
 * @param same names of levels that were not run since another one has the same slots, with a line that names it
 * @param threads threads of all workers together
 * @param absent arms that this machine does not allow, a line with the reason for each
 * @param lines the command line that uses an arm, by its name, as far as there is one
 */
public record Comparison(
        ExperimentResult result,
        Map<String, PlacementPlan> plans,
        Map<String, String> same,
        int threads,
        List<String> absent,
        Map<String, String> lines) {
    /** A comparison whose arms have no command line to use. */
    public Comparison(
            ExperimentResult result,
            Map<String, PlacementPlan> plans,
            Map<String, String> same,
            int threads,
            List<String> absent) {
        this(result, plans, same, threads, absent, Map.of());
    }

    public Comparison {
        plans = Collections.unmodifiableMap(new LinkedHashMap<>(plans));
        same = Collections.unmodifiableMap(new LinkedHashMap<>(same));
        absent = List.copyOf(absent);
        lines = Map.copyOf(lines);
    }

    /** A line for each arm with places for single threads in which no sample saw a thread, as where no name matches a rule. */
    public List<String> unplaced() {
        List<Arm> arms = result.experiment().arms();
        return result.summary().arms().stream()
                .filter(arm -> arm.completed() > 0 && arm.residency().share().isEmpty())
                .filter(arm -> arms.stream()
                        .anyMatch(one -> one.name().equals(arm.arm())
                                && one.expectation().slots().size() > 1))
                .map(arm -> "No thread seen: no sample of " + arm.arm()
                        + " saw a thread that it places. If no name matches" + " its rules, it is as good as unbound.")
                .toList();
    }

    /** The metrics that runs completed without printing, by their names. */
    public List<String> unprinted() {
        List<ArmSummary> arms = result.summary().arms();
        return arms.stream().allMatch(arm -> arm.completed() == 0)
                ? List.of()
                : result.experiment().metrics().stream()
                        .map(Metric::name)
                        .filter(name -> arms.stream()
                                .flatMap(arm -> arm.metrics().stream())
                                .noneMatch(one -> one.metric().name().equals(name)
                                        && one.values().isPresent()))
                        .toList();
    }

    /** A line for each of them. */
    List<String> unprintedLines() {
        List<Metric> metrics = result.experiment().metrics();
        boolean judged = result.summary().arms().stream().anyMatch(ArmSummary::isJudgedByMetric);
        List<String> names = unprinted();
        return metrics.stream()
                .filter(metric -> names.contains(metric.name()))
                .map(metric -> "Not printed: no run printed " + metric.name() + " (" + metric.pattern() + ")"
                        + (judged ? "." : "; the verdict is about the wall time. Compare the expression with a log."))
                .toList();
    }

    /** A line for each arm that leaves the command fewer CPUs than the first one does. */
    public List<String> fewerCpus() {
        return FewerCpus.lines(this);
    }
}
