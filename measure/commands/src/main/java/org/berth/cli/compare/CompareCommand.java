package org.berth.cli.compare;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.KernelCondition;
import org.berth.cli.compare.arms.PreparedComparison;
import org.berth.cli.compare.jobs.Job;
import org.berth.cli.compare.output.CompareProgress;
import org.berth.cli.compare.output.CompareReport;
import org.berth.cli.compare.output.SeriesFigure;
import org.berth.cli.compare.study.StudyOptions;
import org.berth.cli.compare.study.StudyPlan;
import org.berth.cli.shared.StopSignal;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.experiments.Experiment;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.run.ExperimentRunner;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth compare}: runs the same work under several arms, interleaved, and reports the differences. */
@Command(
        name = "compare",
        description = {
            "Run the same work under several placements, in interleaved runs, and report ratios with confidence"
                    + " intervals and a verdict.",
            "The work is a job that comes with Berth (--jobs lists them; options of the job follow --), or any command:"
                    + " bound as a whole, or, in a JVM, by single threads (--rule names them). The last lines name the folder"
                    + " with raw results and logs."
        })
public final class CompareCommand implements Callable<Integer>, OptionRules {
    @Option(names = "--jobs", description = "List the jobs.")
    private boolean listJobs;

    @Mixin
    private WorkOptions workOptions = new WorkOptions();

    @Mixin
    private StudyOptions studyOptions = new StudyOptions();

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Mixin
    private ResultOptions results = new ResultOptions();

    @Mixin
    private SelfCheck selfCheck = new SelfCheck();

    @Mixin
    private ConditionOptions conditions = new ConditionOptions();

    private final Terminal terminal;

    public CompareCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return List.of(
                OptionRule.needs("--workloads --workers", "--study=affinity", ""),
                OptionRule.needs("--gc --numa --memory --live-sets --heap", "--study=collectors", ""),
                OptionRule.needs("--dry-run", "--study", ""),
                OptionRule.excludes("--study=collectors", "--engines --input", ""),
                OptionRule.excludes(
                        "--study",
                        "--job --policies --ways --rule --kernel --arm --near --numactl --numa-balancing --balance-or-bind",
                        "a study runs work of its own"),
                OptionRule.excludes("--study", "--export", "a study writes study.csv"),
                OptionRule.needs("--bound", "--balance-or-bind", ""),
                OptionRule.excludes(
                        "--balance-or-bind",
                        "--levels --policies --engines --ways --rule --kernel",
                        "--balance-or-bind has arms of its own; give options of the bound arms with --bound, more arms with --arm"),
                OptionRule.excludes(
                        "--self-check",
                        "--study --arm --near --numactl --numa-balancing --balance-or-bind --kernel",
                        "--self-check compares one level with itself"),
                OptionRule.excludes("--levels", "--policies", "both choose the arms"),
                OptionRule.needs("--scale --input", "--job --study", "give the command its own arguments"),
                OptionRule.excludes("--job", "--rule", "the job names its own threads"),
                OptionRule.excludes("--results", "--resume", ""));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (listJobs) {
            results.json().write(terminal, "the jobs", Job::json, () -> String.join("\n", Job.table()) + "\n");
            return 0;
        }
        if (studyOptions.study().isPresent()) {
            return study();
        }
        Work work = workOptions.work(selfCheck.wanted());
        checkOptions();
        Topology topology = TargetMachine.live().topology();
        CompareArms arms = work.arms(topology);
        results.checkFiles();
        results.checkOrder(conditions);
        KernelCondition.restoreLeftOver(workOptions.switchesKernel()).forEach(terminal.err()::println);
        PreparedComparison comparison = workOptions
                .kernel()
                .addTo(work.comparison(topology, arms, results::folder, rounds.rounds(), terminal.err()))
                .with(experiment -> selfCheck.apply(rounds.applyTo(conditions.applyTo(experiment))));
        CompareProgress progress = announce(comparison, topology);
        try (StopSignal stop = StopSignal.install()) {
            stop.interrupts(Thread.currentThread());
            return run(work, comparison, topology, progress, stop);
        }
    }

    private int study() throws IOException, InterruptedException {
        Topology topology = TargetMachine.live().topology();
        StudyPlan study = workOptions.study(studyOptions, topology);
        conditions.check(!workOptions.hasCommand());
        rounds.check();
        results.checkFiles();
        StudyRun run = new StudyRun(terminal, topology, study, rounds, conditions, results.studyFolder());
        return run.run(studyOptions.dryRun(), results);
    }

    private void checkOptions() {
        conditions.check(workOptions.isJob());
        results.checkOrder(conditions);
        results.check();
        rounds.check();
        selfCheck.check(rounds.rounds());
        // Before any input is made or fetched.
        workOptions.kernel().conditions();
    }

    private CompareProgress announce(PreparedComparison comparison, Topology topology) {
        CompareProgress progress = new CompareProgress(
                terminal.err(), comparison.folder().inOrder(comparison.experiment()), comparison.arms());
        progress.announce(topology);
        progress.announceSensitivity(rounds.rule(comparison.experiment()));
        return progress;
    }

    private int run(
            Work work, PreparedComparison comparison, Topology topology, CompareProgress progress, StopSignal stop)
            throws IOException {
        Experiment experiment = comparison.experiment();
        CompareFolder folder = comparison.folder();
        ExperimentRunner runner =
                new ExperimentRunner(experiment, topology, folder.path(), progress, rounds.rule(experiment));
        ExperimentResult result = folder.run(runner);
        // Files are written on a thread that is not interrupted.
        boolean stopped = Thread.interrupted();
        Terminal text = results.text(terminal);
        CompareReport report = new CompareReport(text, comparison.arms(), result);
        int exitCode = report.print();
        results.json().write(terminal, ResultOptions.SUMMARY, report::json);
        results.export().write(terminal, result.summary());
        Optional<SeriesFigure> figure = work.figure(result);
        report.files(topology, runner.timelines(), results.report(), figure.map(SeriesFigure::figure));
        figure.ifPresent(one -> one.write(text, folder.path()));
        exitCode = selfCheck.conclude(text.out(), result, exitCode);
        terminal.out().flush();
        stop.finished(exitCode);
        return stopped ? 1 : exitCode;
    }
}
