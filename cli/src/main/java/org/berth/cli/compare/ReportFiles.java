package org.berth.cli.compare;

import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.berth.cli.shared.OutputFile;
import org.berth.cli.shared.Terminal;
import org.berth.drawing.text.Labels;
import org.berth.experiments.Arm;
import org.berth.experiments.ArmSummary;
import org.berth.experiments.Experiment;
import org.berth.experiments.ExperimentResult;
import org.berth.experiments.Metric;
import org.berth.experiments.RunTimeline;
import org.berth.experiments.Trial;
import org.berth.experiments.statistics.Spread;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.report.CompareUsage;
import org.berth.report.CompareVerdict;
import org.berth.report.Quantity;
import org.berth.report.ReportArm;
import org.berth.report.ReportCounters;
import org.berth.report.ReportData;
import org.berth.report.ReportFact;
import org.berth.report.ReportHtml;
import org.berth.report.ReportMarkdown;
import org.berth.report.ReportMeasure;
import org.berth.report.ReportPoint;
import org.berth.report.ReportTrialsCsv;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** Makes the report of an experiment and writes its files. */
final class ReportFiles {
    static final String HTML = "report.html";
    static final String MARKDOWN = "report.md";
    static final String CSV = "trials.csv";
    static final String WHAT = "the report";

    private ReportFiles() {}

    /** Into the folder of the results, and the page into one more file when one is given. */
    static void write(Terminal terminal, ReportData data, ExperimentResult result, Optional<Path> more) {
        Path folder = result.directory();
        String html = ReportHtml.render(data);
        OutputFile.write(terminal, folder.resolve(HTML).toString(), WHAT, html);
        OutputFile.write(terminal, folder.resolve(MARKDOWN).toString(), WHAT, ReportMarkdown.render(data));
        OutputFile.write(terminal, folder.resolve(CSV).toString(), "the table of runs", ReportTrialsCsv.render(result));
        more.ifPresent(file -> OutputFile.write(terminal, file.toString(), WHAT, html));
        terminal.out().println("Report: " + more.orElse(folder.resolve(HTML)));
    }

    /** @param now when the report is written */
    static ReportData data(
            Topology topology,
            CompareArms arms,
            ExperimentResult result,
            List<RunTimeline> timelines,
            List<String> remarks,
            List<ReportFact> environment,
            ZonedDateTime now) {
        List<ArmSummary> summaries = result.summary().arms();
        List<ReportArm> reported = new ArrayList<>();
        for (int i = 0; i < summaries.size(); i++) {
            reported.add(arm(result.experiment(), i, arms, summaries.get(i)));
        }
        List<String> notRun = new ArrayList<>();
        arms.same().forEach((level, why) -> notRun.add(Labels.lower(level) + ": " + why + ", not run."));
        arms.absent().forEach(line -> notRun.add(line + ", not run."));
        return new ReportData(
                result.experiment().name(),
                now.format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xxx")),
                CompareVerdict.verdicts(result.summary()),
                CompareVerdict.scope(result.summary()),
                remarks,
                reported,
                measures(result, summaries),
                notRun,
                CompareUsage.missing(result),
                topology,
                timelines,
                environment,
                result.directory().toString());
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
    private static Optional<PlacementPlan> plan(List<Arm> all, int index, CompareArms arms) {
        List<PlacementPlan> plans = List.copyOf(arms.plans().values());
        return all.size() == plans.size()
                ? Optional.of(plans.get(index))
                : plans.stream()
                        .filter(plan ->
                                Labels.lower(plan.level()).equals(all.get(index).name()))
                        .findFirst();
    }

    private static ReportArm arm(Experiment experiment, int index, CompareArms arms, ArmSummary summary) {
        Arm arm = experiment.arms().get(index);
        Optional<PlacementPlan> plan = plan(experiment.arms(), index, arms);
        return new ReportArm(
                arm.name(),
                arm.command(),
                arm.environment(),
                plan.isEmpty() || plan.get().level() != AffinityLevel.NONE,
                places(arm, plan),
                summary.completed(),
                summary.failed() + summary.timedOut(),
                ReportCounters.of(summary, !experiment.workers().isEmpty()));
    }

    /** What is watched in the runs: of a process that is bound as a whole one place, not those of the plan's threads. */
    private static List<CpuSet> places(Arm arm, Optional<PlacementPlan> plan) {
        List<CpuSet> expected = arm.expectation().places();
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
                            trial.turn().number(),
                            names.indexOf(trial.arm()),
                            trial.counts() && value.isPresent(),
                            trial.turn().warmUp(),
                            value);
                })
                .toList();
    }
}
