package org.berth.report;

import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.experiments.Trial;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.statistics.Spread;
import org.berth.experiments.trial.RunTimeline;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.report.comparison.Answer;
import org.berth.report.comparison.Comparison;
import org.berth.report.comparison.ComparisonText;
import org.berth.report.comparison.Quantity;
import org.berth.report.comparison.UsageTable;
import org.berth.report.comparison.VerdictText;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** Makes the contents of the report from a comparison. Pure functions. */
public final class ReportAssembly {
    /** Each run had a file of its own in the results; a pasted command writes into the folder of its shell. */
    private static final Path GC_LOG = Path.of("berth");

    private ReportAssembly() {}

    /**
     * What the report shows.
     *
     * @param timelines of one run of each arm, where there is one
     * @param remarks what makes the numbers doubtful, or does not
     * @param environment what the machine was like
     * @param now when the report is written
     */
    public static ReportData of(
            Comparison comparison,
            Topology topology,
            List<RunTimeline> timelines,
            List<String> remarks,
            List<ReportFact> environment,
            ZonedDateTime now) {
        ExperimentResult result = comparison.result();
        List<ArmSummary> summaries = result.summary().arms();
        List<ReportArm> reported = new ArrayList<>();
        for (int i = 0; i < summaries.size(); i++) {
            reported.add(arm(result.experiment(), i, comparison, summaries.get(i)));
        }
        List<String> doubts = new ArrayList<>(comparison.fewerCpus());
        doubts.addAll(comparison.unplaced());
        remarks.stream().filter(line -> !ComparisonText.isOfSameResult(line)).forEach(doubts::add);
        List<String> notRun = new ArrayList<>();
        comparison.same().forEach((level, why) -> notRun.add(level + ": " + why + ", not run."));
        comparison.absent().forEach(line -> notRun.add(line + ", not run."));
        return new ReportData(
                result.experiment().name(),
                time(now),
                new ReportDecision(
                        Answer.lines(comparison),
                        summaries.stream()
                                .map(arm -> Answer.word(result.summary(), arm))
                                .toList(),
                        result.summary().claims().margin(),
                        doubts),
                VerdictText.verdicts(result.summary()),
                VerdictText.scope(result.summary()),
                remarks.stream().filter(ComparisonText::isOfSameResult).toList(),
                reported,
                measures(result, summaries),
                notRun,
                UsageTable.missing(result),
                topology,
                timelines,
                environment,
                result.directory().toString(),
                Optional.empty());
    }

    /** A time as a reader should see it. */
    public static String time(ZonedDateTime now) {
        return now.format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xxx"));
    }

    /** What the work printed, then the wall time, which is judged where the work printed nothing. */
    private static List<ReportMeasure> measures(ExperimentResult result, List<ArmSummary> arms) {
        List<ReportMeasure> measures = new ArrayList<>();
        List<Metric> metrics = result.experiment().metrics();
        for (int i = 0; i < metrics.size(); i++) {
            int index = i;
            Metric metric = metrics.get(i);
            List<Optional<Spread>> spreads =
                    arms.stream().map(arm -> arm.metrics().get(index).values()).toList();
            if (spreads.stream().anyMatch(Optional::isPresent)) {
                measures.add(new ReportMeasure(
                        Quantity.of(metric),
                        true,
                        spreads,
                        arms.stream()
                                .map(arm -> arm.metrics().get(index).ratio())
                                .toList(),
                        points(result, trial -> trial.metric(metric.name()))));
            }
        }
        measures.add(new ReportMeasure(
                Quantity.WALL,
                measures.isEmpty(),
                arms.stream().map(ArmSummary::wallSeconds).toList(),
                arms.stream().map(ArmSummary::wallRatio).toList(),
                points(result, trial -> OptionalDouble.of(trial.wallSeconds()))));
        return measures;
    }

    /** Arms are levels in their order; where there are more arms than levels, a level's arm has its name. */
    private static Optional<PlacementPlan> plan(List<Arm> all, int index, Comparison comparison) {
        List<PlacementPlan> plans = List.copyOf(comparison.plans().values());
        return all.size() == plans.size()
                ? Optional.of(plans.get(index))
                : Optional.ofNullable(comparison.plans().get(all.get(index).name()));
    }

    private static ReportArm arm(Experiment experiment, int index, Comparison comparison, ArmSummary summary) {
        Arm arm = experiment.arms().get(index);
        Optional<PlacementPlan> plan = plan(experiment.arms(), index, comparison);
        return new ReportArm(
                arm.name(),
                arm.command(),
                experiment.conditions().environment(arm, GC_LOG),
                plan.isEmpty() || plan.get().level() != AffinityLevel.NONE,
                slots(arm, plan),
                summary.completed(),
                summary.failed() + summary.timedOut(),
                ReportCounters.of(summary, !experiment.workers().isEmpty()));
    }

    /** What is watched in the runs: the one set of a process that is bound as a whole, else the slots of the plan. */
    private static List<CpuSet> slots(Arm arm, Optional<PlacementPlan> plan) {
        List<CpuSet> expected = arm.expectation().slots();
        return expected.isEmpty()
                ? plan.map(PlacementPlan::slots).orElse(List.of()).stream()
                        .map(Slot::cpus)
                        .toList()
                : expected;
    }

    private static List<ReportPoint> points(ExperimentResult result, Function<Trial, OptionalDouble> number) {
        List<String> names = result.experiment().arms().stream().map(Arm::name).toList();
        return result.trials().stream()
                .filter(trial -> names.contains(trial.arm()))
                .map(trial -> {
                    boolean completed = trial.outcome() == Trial.Outcome.COMPLETED;
                    OptionalDouble value = completed ? number.apply(trial) : OptionalDouble.empty();
                    return new ReportPoint(
                            trial.run().number(),
                            names.indexOf(trial.arm()),
                            trial.counts() && value.isPresent(),
                            trial.run().warmUp(),
                            value);
                })
                .toList();
    }
}
