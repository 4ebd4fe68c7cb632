package org.berth.cli.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.berth.cli.compare.ConditionOptions;
import org.berth.cli.compare.Preconditions;
import org.berth.cli.compare.arms.BalanceOptions;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.KernelCondition;
import org.berth.cli.compare.arms.KernelOptions;
import org.berth.cli.compare.arms.LevelChoice;
import org.berth.cli.compare.arms.UserArm;
import org.berth.cli.compare.output.RunLine;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.CommonOptions;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.OutputFile;
import org.berth.cli.shared.StopSignal;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.cli.shared.arguments.WordList;
import org.berth.cli.shared.launch.CommandLookup;
import org.berth.cli.split.SplitPlan;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.race.RaceBudget;
import org.berth.experiments.race.RacePlan;
import org.berth.experiments.race.RaceResult;
import org.berth.experiments.race.RaceRunner;
import org.berth.experiments.run.DifferentExperimentException;
import org.berth.experiments.run.ExperimentRunner;
import org.berth.experiments.run.FailedPreparationException;
import org.berth.report.ReportAssembly;
import org.berth.text.Words;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth tune}: finds options of {@code berth run} that make a command faster, if any do. */
@CommonOptions({
    "--into",
    "--heap",
    "--levels",
    "--threads",
    "--arm",
    "--jvm-flags",
    "--metric",
    "--runs",
    "--budget",
    "--results",
    "--resume",
    "--dry-run",
    "--json"
})
@Command(
        name = "tune",
        description = {
            "Find out which options of 'berth run' make a command faster, if any do; or, with --into, how many processes"
                    + " and executors a host should have.",
            "Levels, numbers of cores and PUs, and SMT use race in interleaved runs; each heat drops the slower half."
                    + " Fresh runs then decide whether the winner is faster than the unbound command. In the command, "
                    + RunCandidate.COUNT + " stands for the number of CPUs that it gets."
        },
        footer = {
            "",
            "berth tune -- java -jar job.jar",
            "berth tune --into 1,2,numa,l3 --dry-run -- java -Xmx{heap} -jar job.jar --part {i} --of {n}",
            "berth tune --into 1,2,4 --jvm-flags none,gc-threads -- spark-submit --class Main application.jar",
            "",
            "Exit codes: 0 with an answer, including that nothing helps; 1 without an answer (runs failed, stopped by ^C, budget"
                    + " too small); 2 usage error."
        })
public final class TuneCommand implements Callable<Integer>, OptionRules {
    private static final String LEVELS = "numa,package,l3-pack,l3-spread,core,pu";
    private static final String RULES_FILE = "each-thread.rules";

    @Mixin
    private ShapeOptions shapes = new ShapeOptions();

    @Option(
            names = "--levels",
            paramLabel = "LIST",
            description =
                    "Levels whose candidates race. Default: " + LEVELS
                            + ". With --into: none (not bound), part (each process in its part; the default is none,part), core and"
                            + " pu (and each thread of a JVM on one); for Spark, none and levels of tasks (default: none,auto).")
    private Optional<String> levels = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "LIST",
            description =
                    "Numbers of cores (level core) or PUs (level pu) of the candidates, such as 2,4,8; default: all of a"
                            + " package, one for each core, and half of the cores.")
    private Optional<String> threads = Optional.empty();

    @Option(
            names = "--arm",
            paramLabel = "NAME=OPTIONS",
            description =
                    "An additional candidate: options of 'berth run', after VARIABLE=VALUE settings if any; may be"
                            + " repeated.")
    private List<String> arms = new ArrayList<>();

    @Option(
            names = "--runs",
            paramLabel = "N",
            description =
                    "Maximum number of runs, including the warm-up; default: depends on the number of candidates.")
    private Optional<Integer> runs = Optional.empty();

    @Option(
            names = "--budget",
            paramLabel = "SECONDS",
            description = "Approximate maximum duration, estimated from the warm-up.")
    private Optional<String> budget = Optional.empty();

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "Folder for raw results; default: berth-tune-<time>.")
    private Optional<Path> results = Optional.empty();

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Continue an interrupted race: the same command line with this option instead of --results.")
    private Optional<Path> resume = Optional.empty();

    @Option(names = "--dry-run", description = "Print the candidates and the number of runs, and start nothing.")
    private boolean dryRun;

    @Option(
            names = "--topology",
            paramLabel = "FILE|SYNTHETIC",
            description = "With --dry-run: another machine than this one, as hwloc XML or as a synthetic description.")
    private Optional<String> otherMachine = Optional.empty();

    @Option(names = "--explain", description = "Print the reasons of the answer, too.")
    private boolean explain;

    @Mixin
    private KernelOptions kernel = new KernelOptions();

    @Mixin
    private BalanceOptions balance = new BalanceOptions();

    @Mixin
    private ConditionOptions conditions = new ConditionOptions();

    @Parameters(arity = "0..*", paramLabel = "-- COMMAND", description = "The command and its arguments.")
    private List<String> command = new ArrayList<>();

    private final Terminal terminal;

    public TuneCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return List.of(
                OptionRule.needs("--topology", "--dry-run", "a race runs on this machine"),
                OptionRule.excludes("--resume", "--results --dry-run", ""),
                OptionRule.excludes("--resume", "--seed", "the results keep their order"),
                OptionRule.excludes("--threads", "--into", "the parts of the host have their CPUs"),
                OptionRule.needs(
                        "--heap --memory --smt --jvm-flags --spark",
                        "--into",
                        "for a race of shapes, such as --into 1,2,numa"),
                OptionRule.needs("--bound", "--balance-or-bind", ""));
    }

    @Override
    public Integer call() throws IOException {
        if (command.isEmpty()) {
            throw CommandException.usage("give the command to tune: berth tune -- COMMAND");
        }
        checkTogether();
        RaceBudget limit = new RaceBudget(
                runs.isPresent() ? OptionalInt.of(runs.get()) : OptionalInt.empty(),
                ConditionOptions.seconds("--budget", budget, true));
        TargetMachine machine = TargetMachine.load(otherMachine);
        Path folderPath = resume.or(() -> results)
                .orElseGet(TuneCommand::named)
                .toAbsolutePath()
                .normalize();
        TuneCandidates candidates = candidates(machine, isJavaLauncher(), folderPath.resolve(RULES_FILE));
        checkRuns(candidates.list().size() - 1);
        shapes.missingPlugin(command, candidates.list()).ifPresent(terminal.err()::println);
        if (dryRun) {
            json.write(
                    terminal,
                    "the plan",
                    () -> TuneJson.plan(candidates, limit),
                    () -> TunePlan.text(candidates, machine.topology(), limit));
            return 0;
        }
        shapes.checkEnvironment(command);
        json.check(TuneReport.WHAT);
        KernelCondition.restoreLeftOver(candidates.list().stream().anyMatch(TuneCommand::switchesTheKernel))
                .forEach(terminal.err()::println);
        try (CompareFolder folder = folder(folderPath)) {
            return race(machine.topology(), candidates, limit, folder);
        }
    }

    private int race(Topology topology, TuneCandidates candidates, RaceBudget limit, CompareFolder folder) {
        boolean java = CommandLookup.isJavaLauncher(
                CommandLookup.find(command.get(0), System.getenv().getOrDefault("PATH", "")));
        Experiment planned = planned(candidates, topology, java, folder);
        Experiment experiment = folder.resumed()
                ? ExperimentRunner.inOrderOf(folder.path().resolve(RaceRunner.WARM_UP), planned)
                : planned;
        TuneProgress progress = new TuneProgress(RunLine.of(terminal), experiment);
        progress.announce(candidates, topology);
        try (progress;
                StopSignal stop = StopSignal.install()) {
            stop.interrupts(Thread.currentThread());
            RaceRunner runner = new RaceRunner(experiment, limit, topology, folder.path(), progress);
            RaceResult result = race(runner, folder);
            // Files are written on a thread that is not interrupted.
            boolean unused = Thread.interrupted();
            TuneReport report = new TuneReport(candidates, result);
            String written = ReportAssembly.time(ZonedDateTime.now(ZoneId.systemDefault()));
            if (runner.unwritten().isEmpty()) {
                OutputFile.write(terminal, report.page().toString(), "the report", TunePage.html(report, written));
            }
            int exitCode = report.print(json.text(terminal), explain);
            json.write(terminal, TuneReport.WHAT, () -> TuneJson.of(report));
            if (runner.unwritten().isPresent()) {
                throw folder.notWritten(runner.unwritten().get());
            }
            terminal.out().flush();
            stop.finished(exitCode);
            return exitCode;
        }
    }

    /** No folder stays of a race whose candidates are refused. */
    private Experiment planned(TuneCandidates candidates, Topology topology, boolean java, CompareFolder folder) {
        try {
            Experiment planned = experiment(candidates, new TuneCandidate.Start(topology, java, folder::planFile));
            Preconditions.check(folder.path(), planned);
            return planned;
        } catch (CommandException refused) {
            folder.discard();
            throw refused;
        }
    }

    private static RaceResult race(RaceRunner runner, CompareFolder folder) {
        try {
            return folder.resumed() ? runner.resume() : runner.run();
        } catch (FailedPreparationException e) {
            throw CompareFolder.notPrepared(folder.path(), e);
        } catch (DifferentExperimentException e) {
            throw CommandException.failure(
                    "cannot resume " + folder.path() + ": " + e.getMessage()
                            + "; give the same command line, or start again without --resume",
                    e);
        } catch (IOException e) {
            throw folder.notKept(e);
        }
    }

    private void checkTogether() {
        conditions.check(false);
        if (conditions.metricCount() > 1) {
            throw CommandException.usage("--metric: one metric decides a race; give it once");
        }
        if (resume.isPresent() && !Files.exists(resume.get().resolve(RaceRunner.WARM_UP))) {
            throw CommandException.usage(
                    "--resume " + resume.get() + ": there is no race in it; give the folder of an interrupted one");
        }
    }

    private TuneCandidates candidates(TargetMachine machine, boolean javaLauncher, Path rules) throws IOException {
        Topology topology = machine.topology();
        boolean forSplit = shapes.given() && !shapes.isSpark(command);
        TuneCandidates candidates = shapes.given()
                ? shapes.candidates(machine, levels, command, javaLauncher, rules)
                : TuneCandidates.of(topology, LevelChoice.parse(levels.orElse(LEVELS)), counts(), command);
        Optional<SplitPlan> whole =
                forSplit ? Optional.of(((SplitCandidate) candidates.list().get(0)).plan()) : Optional.empty();
        List<UserArm> more = new ArrayList<>(arms.stream().map(UserArm::parse).toList());
        kernel.conditions()
                .forEach(condition ->
                        more.add(TuneCandidates.unbound(condition.name()).under(condition)));
        BalanceOptions.Candidates balancing = balance.candidates(topology);
        more.addAll(balancing.arms());
        candidates = candidates
                .withDropped(balancing.absent())
                .and(more.stream()
                        .map(arm -> RunCandidate.of(arm, topology, command, whole))
                        .toList());
        if (candidates.list().size() < 2) {
            throw CommandException.failure("nothing to tune: every candidate gets the same CPUs on this machine (CPUs "
                    + topology.allowedCpuSet() + "); give options of your own with --arm"
                    + (candidates.dropped().isEmpty() ? "" : " (" + String.join("; ", candidates.dropped()) + ")"));
        }
        return candidates;
    }

    /** A plan does not need the command. */
    private boolean isJavaLauncher() {
        try {
            return CommandLookup.isJavaLauncher(
                    CommandLookup.find(command.get(0), System.getenv().getOrDefault("PATH", "")));
        } catch (CommandException missing) {
            if (dryRun) {
                return false;
            }
            throw missing;
        }
    }

    private static boolean switchesTheKernel(TuneCandidate candidate) {
        return candidate instanceof RunCandidate run && !run.arm().kernel().isEmpty();
    }

    private Experiment experiment(TuneCandidates candidates, TuneCandidate.Start start) {
        List<Arm> list = candidates.list().stream()
                .map(candidate -> candidate.arm(start))
                .toList();
        try {
            return conditions.applyTo(Experiment.of(command.get(0), list).withThreads(Experiment.ThreadScope.ALL));
        } catch (IllegalArgumentException twoOfOneName) {
            throw CommandException.usage("--arm: " + twoOfOneName.getMessage() + "; give another name");
        }
    }

    private List<Integer> counts() {
        return threads.map(list -> WordList.parse("--threads", list, word -> Arguments.count("--threads", word)))
                .orElse(List.of());
    }

    private void checkRuns(int candidates) {
        int least = candidates + 1 + RacePlan.of(candidates, 1).runs();
        if (runs.isPresent() && runs.get() < least) {
            throw CommandException.usage("--runs " + runs.get() + ": a race of "
                    + Words.count(candidates, "candidate") + " takes at least " + least
                    + "; give more, or fewer candidates");
        }
    }

    private static Path named() {
        String now = LocalDateTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
        return Path.of("berth-tune-" + now);
    }

    private CompareFolder folder(Path path) {
        boolean named = resume.isPresent() || results.isPresent();
        CompareFolder folder = named
                ? CompareFolder.open(results, resume, "", RaceRunner.WARM_UP, terminal.err())
                : CompareFolder.openNew(path, terminal.err());
        if (shapes.given()) {
            try {
                Files.writeString(folder.path().resolve(RULES_FILE), SplitCandidates.EACH_THREAD);
            } catch (IOException e) {
                throw folder.notKept(e);
            }
        }
        return folder;
    }
}
