package org.berth.cli.study;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.cli.compare.ConditionOptions;
import org.berth.cli.compare.Preconditions;
import org.berth.cli.compare.ResultOptions;
import org.berth.cli.compare.RoundOptions;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.output.CompareProgress;
import org.berth.cli.compare.output.CompareReport;
import org.berth.cli.compare.output.ParagraphWidth;
import org.berth.cli.compare.output.ReportEnvironment;
import org.berth.cli.compare.output.ReportFiles;
import org.berth.cli.compare.output.RoughTime;
import org.berth.cli.compare.output.RunLine;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.OutputFile;
import org.berth.cli.shared.StopSignal;
import org.berth.cli.shared.Terminal;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Trial;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.run.ExperimentRunner;
import org.berth.experiments.run.FailedWarmUpException;
import org.berth.experiments.run.TimeLeft;
import org.berth.report.study.Study;
import org.berth.report.study.StudyHtml;
import org.berth.text.TextTable;
import org.berth.text.Words;
import org.berth.topology.Topology;

/** Runs a study: a pilot run of each workload, the plan, all parts one after the other, and one report. */
final class StudyRun {
    /** The folder of the first runs, which every study has. */
    static final String PILOT = "pilot";

    private static final String TRIALS = "trials.jsonl";

    private final Terminal terminal;
    private final Topology topology;
    private final StudyPlan study;
    private final RoundOptions rounds;
    private final ConditionOptions conditions;
    private final CompareFolder whole;
    private final Path folder;
    private final int runs;
    private final TimeLeft time = new TimeLeft();
    private final List<Study.Part> done = new ArrayList<>();
    private final PrintWriter err;
    private boolean bad;
    private boolean cachesAreDropped;
    private int comparisons = 1;

    StudyRun(
            Terminal terminal,
            Topology topology,
            StudyPlan study,
            RoundOptions rounds,
            ConditionOptions conditions,
            CompareFolder whole) {
        this.terminal = terminal;
        this.topology = topology;
        this.study = study;
        this.rounds = rounds;
        this.conditions = conditions;
        this.whole = whole;
        this.folder = whole.path();
        this.runs = rounds.rounds(study.runs());
        this.err = terminal.err();
    }

    /** Returns the exit code: 1 when a run failed, results of runs differ, or the study was stopped. */
    int run(boolean dryRun, ResultOptions results) throws IOException, InterruptedException {
        List<StudyPart> parts = parts();
        comparisons = parts.size();
        try (StopSignal stop = StopSignal.install()) {
            stop.interrupts(Thread.currentThread());
            pilot(parts);
            if (!Thread.currentThread().isInterrupted()) {
                announce(parts);
            }
            if (!dryRun) {
                for (int i = 0; i < parts.size() && !Thread.currentThread().isInterrupted(); i++) {
                    StudyPart part = parts.get(i);
                    err.println("[" + (i + 1) + "/" + parts.size() + "] " + part.workload() + ", " + part.setting()
                            + "; about " + RoughTime.of(total(parts.subList(i, parts.size()))) + " of the study left");
                    run(part);
                }
            }
            // Files are written on a thread that is not interrupted.
            boolean stopped = Thread.interrupted();
            int exitCode = stopped || bad ? 1 : 0;
            if (!done.isEmpty()) {
                report(results, stopped);
            }
            stop.finished(exitCode);
            return exitCode;
        }
    }

    /** No folder stays of a study whose parts are refused. */
    private List<StudyPart> parts() throws IOException, InterruptedException {
        try {
            List<StudyPart> parts = study.parts(topology, folder, err);
            for (StudyPart part : parts) {
                Preconditions.check(folder, conditions.applyTo(part.experiment()));
            }
            return parts;
        } catch (CommandException refused) {
            whole.discard();
            throw refused;
        }
    }

    /** How long one run of each workload takes. */
    private void pilot(List<StudyPart> parts) throws IOException {
        Map<String, StudyPart> firsts = new LinkedHashMap<>();
        parts.forEach(part -> firsts.putIfAbsent(part.workload(), part));
        List<Arm> arms = firsts.values().stream().map(StudyPart::pilot).toList();
        Experiment pilots = study.measured(conditions.applyTo(Experiment.of(PILOT, arms)
                .withRounds(1)
                .withWarmUps(0)
                .withMetrics(parts.get(0).experiment().metrics())));
        cachesAreDropped = pilots.conditions().dropCaches();
        err.println("Pilot runs of each workload, to estimate the duration of the study:");
        CompareProgress progress =
                new CompareProgress(RunLine.of(terminal), pilots, CompareArms.none(), Optional.empty(), false);
        CompareFolder results = part(PILOT);
        ExperimentRunner runner = new ExperimentRunner(pilots, topology, results.path(), progress);
        ExperimentResult result;
        try (progress) {
            result = results.run(runner);
        }
        if (runner.unwritten().isPresent()) {
            throw whole.notWritten(runner.unwritten().get());
        }
        for (Trial trial : result.trials()) {
            if (trial.outcome() == Trial.Outcome.COMPLETED) {
                time.add(trial.arm(), true, trial.wall());
            } else if (trial.outcome() != Trial.Outcome.STOPPED) {
                throw CommandException.failure("the pilot run of " + trial.arm() + " "
                        + CompareProgress.end(trial, pilots) + "; leave it out, or give it less work");
            }
        }
    }

    private CompareFolder part(String name) throws IOException {
        Path path = folder.resolve(name);
        Files.createDirectories(path);
        return new CompareFolder(path, Files.exists(path.resolve(TRIALS)));
    }

    private Duration total(List<StudyPart> parts) {
        return time.of(parts.stream()
                .flatMap(part -> Collections.nCopies(part.runs(runs, rounds.warmUps()), part.workload()).stream())
                .toList());
    }

    private void announce(List<StudyPart> parts) {
        TextTable table = TextTable.ofNumbers();
        table.row("WORKLOAD", "ONE RUN", "RUNS", "TOGETHER");
        for (String workload :
                parts.stream().map(StudyPart::workload).distinct().toList()) {
            List<StudyPart> own = parts.stream()
                    .filter(part -> part.workload().equals(workload))
                    .toList();
            table.row(
                    workload,
                    RoughTime.of(time.of(List.of(workload))),
                    Integer.toString(own.stream()
                            .mapToInt(part -> part.runs(runs, rounds.warmUps()))
                            .sum()),
                    RoughTime.of(total(own)));
        }
        table.lines().forEach(err::println);
        parts.stream().map(StudyPart::setting).distinct().forEach(setting -> err.println("setting: " + setting));
        remarks().forEach(err::println);
        err.println(Words.count(runs, "run") + " of each arm" + CompareProgress.warmUps(rounds.warmUps()) + ": about "
                + RoughTime.of(total(parts)) + " in all; after an interruption the same command line with --resume "
                + folder + " continues it");
        err.flush();
    }

    private void run(StudyPart part) throws IOException {
        CompareFolder results = part(part.folder());
        Experiment experiment = study.measured(
                rounds.applyTo(conditions.applyTo(part.experiment().withRounds(runs))));
        experiment = experiment.withClaims(experiment.claims().withFamily(comparisons));
        CompareProgress progress = new CompareProgress(
                RunLine.of(terminal), results.inOrder(experiment), part.shown(), rounds.rule(experiment), false);
        ExperimentRunner runner =
                new ExperimentRunner(experiment, topology, results.path(), progress, rounds.rule(experiment));
        long startNanos = System.nanoTime();
        ExperimentResult result;
        try (progress) {
            result = results.run(runner);
        } catch (CommandException failed) {
            if (!(failed.getCause() instanceof FailedWarmUpException)) {
                throw failed;
            }
            // Other parts may work.
            err.println(part.workload() + ", " + part.setting() + ": " + failed.getMessage());
            bad = true;
            return;
        }
        if (!results.resumed() && !result.trials().isEmpty()) {
            // Pauses and the commands around runs included, which the pilot's wall time has not.
            long nanos = (System.nanoTime() - startNanos) / result.trials().size();
            result.trials().forEach(unused -> time.add(part.workload(), false, Duration.ofNanos(nanos)));
        }
        boolean interrupted = Thread.interrupted();
        CompareReport report = new CompareReport(terminal.toStandardError(), part.shown(), result, true);
        if (runner.unwritten().isPresent()) {
            int unused = report.print();
            throw whole.notWritten(runner.unwritten().get());
        }
        Optional<String> unprinted = conditions.metricCount() == 0 ? Optional.empty() : report.unprinted();
        unprinted.ifPresent(err::println);
        bad |= unprinted.isPresent();
        report.files(topology, runner.timelines(), Optional.empty(), Optional.empty());
        bad |= report.isBad();
        done.add(new Study.Part(
                part.workload(), part.setting(), report.comparison(), part.folder() + "/" + ReportFiles.HTML));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> remarks() {
        List<String> remarks = new ArrayList<>(study.remarks(topology));
        if (comparisons > 1) {
            remarks.add("The " + comparisons
                    + " comparisons share the 5 %: in at most 5 of 100 studies is any arm called faster"
                    + " or slower that is not.");
        }
        remarks.add(
                cachesAreDropped
                        ? "The kernel's file cache was dropped before each run."
                        : "The kernel's file cache was kept from run to run; --drop-caches (root) empties it.");
        return remarks;
    }

    private void report(ResultOptions results, boolean stopped) {
        List<String> remarks = new ArrayList<>(remarks());
        if (stopped) {
            remarks.add("Stopped before the end: the same command line with --resume " + folder
                    + " instead of --results continues it.");
        }
        if (bad) {
            remarks.add(
                    "Some runs failed, or runs of a workload computed different results: see the reports of the parts.");
        }
        Study all = new Study(
                study.title(),
                done,
                study.sections(done),
                remarks,
                new ReportEnvironment(Path.of("/")).facts(topology),
                ZonedDateTime.now(ZoneId.systemDefault())
                        .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xxx")),
                folder.toString());
        Terminal text = results.json().text(terminal);
        all.text(ParagraphWidth.of(text)).forEach(text.out()::println);
        String page = StudyHtml.render(all);
        write(text, "study.svg", "the figure", all.figure().render());
        write(text, "study.csv", "the numbers of the figure", all.csv());
        for (Study.Section section : all.sections()) {
            write(text, section.file() + ".csv", "the numbers of " + section.title(), section.csv());
            if (section.figure().isPresent()) {
                write(
                        text,
                        section.file() + ".svg",
                        "the figure of " + section.title(),
                        section.figure().get().render());
            }
        }
        write(text, ReportFiles.HTML, ReportFiles.WHAT, page);
        results.report().ifPresent(file -> OutputFile.write(text, file.toString(), ReportFiles.WHAT, page));
        text.out()
                .println("Report: " + results.report().orElse(folder.resolve(ReportFiles.HTML)) + ", its figure: "
                        + folder.resolve("study.svg") + ", its numbers: study.csv");
        text.out().println();
        ParagraphWidth.ofAnswer(List.of(all.answer()), text).forEach(text.out()::println);
        results.json().write(terminal, ResultOptions.SUMMARY, all::json);
        text.out().flush();
    }

    private void write(Terminal text, String name, String what, String content) {
        OutputFile.write(text, folder.resolve(name).toString(), what, content);
    }
}
