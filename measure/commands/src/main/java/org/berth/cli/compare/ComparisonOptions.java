package org.berth.cli.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.berth.cli.compare.arms.ArmOptions;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.KernelCondition;
import org.berth.cli.compare.arms.KernelOptions;
import org.berth.cli.compare.arms.PreparedComparison;
import org.berth.cli.compare.output.CompareProgress;
import org.berth.cli.compare.output.CompareReport;
import org.berth.cli.compare.output.RunLine;
import org.berth.cli.compare.output.SeriesFigure;
import org.berth.cli.shared.StopSignal;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.experiments.Experiment;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.run.ExperimentRunner;
import org.berth.topology.Topology;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that a comparison has whatever its work is, and the comparison itself: {@code compare} and {@code bench}. */
public final class ComparisonOptions {
    /** What they need and exclude, whatever the work is. */
    public static final List<OptionRule> RULES = List.of(
            OptionRule.needs("--bound", "--balance-or-bind", ""),
            OptionRule.excludes(
                    "--self-check",
                    "--arm --near --numactl --numa-balancing --balance-or-bind --kernel",
                    "--self-check compares one arm with itself"),
            OptionRule.excludes("--results", "--resume", ""));

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Mixin
    private ResultOptions results = new ResultOptions();

    @Mixin
    private ExportOption export = new ExportOption();

    @Option(
            names = "--explain",
            description = "Print all tables and verdicts, with what their columns mean; the report has them, too.")
    private boolean explain;

    @Mixin
    private SelfCheck selfCheck = new SelfCheck();

    @Mixin
    private ConditionOptions conditions = new ConditionOptions();

    @Mixin
    private KernelOptions kernel = new KernelOptions();

    @Mixin
    private ArmOptions arms = new ArmOptions();

    /** Whether one arm is enough, because it runs twice. */
    public boolean isSelfCheck() {
        return selfCheck.wanted();
    }

    public KernelOptions kernel() {
        return kernel;
    }

    public ArmOptions arms() {
        return arms;
    }

    public ResultOptions results() {
        return results;
    }

    /**
     * Compares the arms of this work; returns the exit code.
     *
     * @param isJob whether the work has metrics of its own
     */
    public int compare(Terminal terminal, Work work, boolean isJob) throws IOException, InterruptedException {
        check(isJob);
        results.checkFiles();
        export.check(results.json());
        Topology topology = TargetMachine.live().topology();
        CompareArms plans = work.arms(topology);
        KernelCondition.restoreLeftOver(kernel.given() || arms.switchesKernel()).forEach(terminal.err()::println);
        PreparedComparison comparison = prepared(terminal, work, topology, plans);
        try (CompareFolder folder = comparison.folder();
                StopSignal stop = StopSignal.install()) {
            CompareProgress progress = announce(terminal, comparison, topology);
            stop.interrupts(Thread.currentThread());
            return run(terminal, work, comparison, folder, topology, progress, stop);
        }
    }

    /** No folder stays of a comparison whose arms are refused. */
    private PreparedComparison prepared(Terminal terminal, Work work, Topology topology, CompareArms plans)
            throws IOException, InterruptedException {
        List<CompareFolder> folders = new ArrayList<>();
        boolean complete = false;
        try {
            Supplier<CompareFolder> folder = () -> {
                if (folders.isEmpty()) {
                    folders.add(results.folder(terminal.err()));
                }
                return folders.get(0);
            };
            PreparedComparison comparison = kernel.addTo(
                            work.comparison(topology, plans, folder, rounds.rounds(), terminal.err()))
                    .with(experiment -> selfCheck.apply(rounds.applyTo(conditions.applyTo(experiment))));
            Preconditions.check(comparison.folder().path(), comparison.experiment());
            complete = true;
            return comparison;
        } finally {
            if (!complete) {
                folders.forEach(CompareFolder::discard);
            }
        }
    }

    private void check(boolean isJob) {
        conditions.check(isJob);
        results.checkOrder(conditions);
        results.check();
        rounds.check();
        selfCheck.check(rounds.rounds());
        // Before any input is made or fetched.
        kernel.conditions();
    }

    private CompareProgress announce(Terminal terminal, PreparedComparison comparison, Topology topology) {
        CompareProgress progress = new CompareProgress(
                RunLine.of(terminal),
                comparison.folder().inOrder(comparison.experiment()),
                comparison.arms(),
                rounds.rule(comparison.experiment()),
                rounds.fit().isPresent());
        progress.announce(topology);
        progress.announceSensitivity();
        return progress;
    }

    private int run(
            Terminal terminal,
            Work work,
            PreparedComparison comparison,
            CompareFolder folder,
            Topology topology,
            CompareProgress progress,
            StopSignal stop)
            throws IOException {
        Experiment experiment = comparison.experiment();
        ExperimentRunner runner = new ExperimentRunner(
                experiment, topology, folder.path(), progress, rounds.rule(experiment), rounds.fit());
        ExperimentResult result;
        try (progress) {
            result = folder.run(runner);
        }
        // Files are written on a thread that is not interrupted.
        boolean stopped = Thread.interrupted();
        Terminal text = export.takesOutput()
                ? terminal.toStandardError()
                : results.json().text(terminal);
        CompareReport report = new CompareReport(text, comparison.arms(), result, explain);
        int exitCode = report.print();
        results.json().write(terminal, ResultOptions.SUMMARY, report::json);
        if (runner.unwritten().isPresent()) {
            throw folder.notWritten(runner.unwritten().get());
        }
        export.write(terminal, result.summary());
        Optional<SeriesFigure> figure = work.figure(result);
        report.files(topology, runner.timelines(), results.report(), figure.map(SeriesFigure::figure));
        figure.ifPresent(one -> one.write(text, folder.path()));
        Optional<String> unprinted = conditions.metricCount() == 0 ? Optional.empty() : report.unprinted();
        if (unprinted.isPresent()) {
            text.out().println();
            text.out().println(unprinted.get());
            exitCode = 1;
        } else if (!selfCheck.wanted()) {
            report.printAnswer();
        }
        exitCode = selfCheck.conclude(text.out(), result, exitCode);
        terminal.out().flush();
        stop.finished(exitCode);
        return stopped ? 1 : exitCode;
    }
}
