package org.berth.cli.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.berth.cli.compare.CommandArms;
import org.berth.cli.compare.CompareFolder;
import org.berth.cli.compare.ConditionOptions;
import org.berth.cli.compare.KernelCondition;
import org.berth.cli.compare.KernelOptions;
import org.berth.cli.compare.LevelChoice;
import org.berth.cli.compare.UserArm;
import org.berth.cli.shared.Arguments;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.CommandLookup;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.StopSignal;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.drawing.internal.text.Labels;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.race.RaceBudget;
import org.berth.experiments.race.RacePlan;
import org.berth.experiments.race.RaceResult;
import org.berth.experiments.race.RaceRunner;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth tune}: finds options of {@code berth run} that make a command faster, if any do. */
@Command(
        name = "tune",
        description = {
            "Find out which options of 'berth run' make a command faster, if any do.",
            "Levels, numbers of cores and PUs, and SMT use race in turns; each heat drops the slower half. Fresh runs then"
                    + " decide whether the winner is faster than the unbound command. In the command, "
                    + TuneCandidate.CPUS + " stands for the number of CPUs that it gets."
        },
        footer = {
            "",
            "Exit codes: 0 with an answer, including that nothing helps; 1 without an answer (runs failed, stopped by ^C, budget"
                    + " too small); 2 usage error."
        })
public final class TuneCommand implements Callable<Integer> {
    @Option(
            names = "--levels",
            paramLabel = "LIST",
            defaultValue = "numa,package,core,pu",
            description = "Levels whose candidates race. Default: ${DEFAULT-VALUE}.")
    private String levels = "numa,package,core,pu";

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

    @Mixin
    private KernelOptions kernel = new KernelOptions();

    @Mixin
    private ConditionOptions conditions = new ConditionOptions();

    @Parameters(arity = "0..*", paramLabel = "-- COMMAND", description = "The command and its arguments.")
    private List<String> command = new ArrayList<>();

    private final Terminal terminal;

    public TuneCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        if (command.isEmpty()) {
            throw CommandException.usage("give the command to tune: berth tune -- COMMAND");
        }
        conditions.check(false);
        if (conditions.metricCount() > 1) {
            throw CommandException.usage("--metric: one metric decides a race; give it once");
        }
        Optional<Duration> time = ConditionOptions.seconds("--budget", budget, true);
        List<UserArm> more = new ArrayList<>(arms.stream().map(UserArm::parse).toList());
        kernel.conditions()
                .forEach(condition ->
                        more.add(TuneCandidates.unbound(condition.name()).under(condition)));
        Topology topology = TargetMachine.live().topology();
        TuneCandidates candidates = TuneCandidates.of(topology, LevelChoice.parse(levels), counts(), more);
        if (candidates.list().size() < 2) {
            throw CommandException.failure("nothing to tune: every candidate gets the same CPUs on this machine (CPUs "
                    + topology.allowedCpuSet() + "); give options of your own with --arm");
        }
        checkRuns(candidates.list().size() - 1);
        json.check(TuneReport.WHAT);
        Path program = CommandLookup.find(command.get(0), System.getenv().getOrDefault("PATH", ""));
        KernelCondition.restoreLeftOver(
                        more.stream().anyMatch(arm -> !arm.kernel().isEmpty()))
                .forEach(terminal.err()::println);
        CompareFolder folder = folder();
        Experiment experiment = experiment(candidates, topology, CommandLookup.isJavaLauncher(program), folder);
        TuneProgress progress = new TuneProgress(terminal.err(), experiment);
        progress.announce(candidates, topology);
        RaceBudget limit = new RaceBudget(runs.isPresent() ? OptionalInt.of(runs.get()) : OptionalInt.empty(), time);
        try (StopSignal stop = StopSignal.install()) {
            stop.interrupts(Thread.currentThread());
            RaceResult result = new RaceRunner(experiment, limit, topology, folder.path(), progress).run();
            // Files are written on a thread that is not interrupted.
            boolean unused = Thread.interrupted();
            TuneReport report = new TuneReport(candidates, result, command);
            int exitCode = report.print(json.text(terminal).out());
            json.write(terminal, TuneReport.WHAT, () -> TuneJson.of(report));
            terminal.out().flush();
            stop.finished(exitCode);
            return exitCode;
        }
    }

    private Experiment experiment(
            TuneCandidates candidates, Topology topology, boolean javaLauncher, CompareFolder folder) {
        List<Arm> list = new ArrayList<>();
        for (TuneCandidate candidate : candidates.list()) {
            CommandArms one = new CommandArms(topology, candidate.command(command), javaLauncher, folder::planFile);
            one.add(candidate.arm());
            list.addAll(one.arms());
        }
        try {
            return conditions.applyTo(Experiment.of(command.get(0), list).withThreads(Experiment.ThreadScope.ALL));
        } catch (IllegalArgumentException twoOfOneName) {
            throw CommandException.usage("--arm: " + twoOfOneName.getMessage() + "; give another name");
        }
    }

    private List<Integer> counts() {
        return threads.map(list -> List.of(list.split(",", -1))).orElse(List.of()).stream()
                .map(count -> Arguments.count("--threads", count.strip()))
                .toList();
    }

    private void checkRuns(int candidates) {
        int least = candidates + 1 + RacePlan.of(candidates, 1).runs();
        if (runs.isPresent() && runs.get() < least) {
            throw CommandException.usage("--runs " + runs.get() + ": a race of "
                    + Labels.count(candidates, "candidate") + " takes at least " + least
                    + "; give more, or fewer --levels or --threads");
        }
    }

    private CompareFolder folder() {
        String now = LocalDateTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
        Path path = results.orElse(Path.of("berth-tune-" + now));
        if (Files.exists(path.resolve(RaceRunner.WARM_UP))) {
            throw CommandException.usage("--results " + path + ": it already holds results; give a new folder");
        }
        return CompareFolder.open(Optional.of(path), Optional.empty());
    }
}
