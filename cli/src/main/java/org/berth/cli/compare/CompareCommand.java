package org.berth.cli.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.berth.binding.NativeLibrary;
import org.berth.cli.run.Launch;
import org.berth.cli.run.LaunchPlanner;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.CommandLookup;
import org.berth.cli.shared.OutputFile;
import org.berth.cli.shared.Reasons;
import org.berth.cli.shared.StopSignal;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.drawing.text.Labels;
import org.berth.experiments.Arm;
import org.berth.experiments.DifferentExperimentException;
import org.berth.experiments.Experiment;
import org.berth.experiments.ExperimentResult;
import org.berth.experiments.ExperimentRunner;
import org.berth.experiments.KernelSwitch;
import org.berth.experiments.StoppingRule;
import org.berth.experiments.Verdict;
import org.berth.observation.Expectation;
import org.berth.observation.ThreadNamePattern;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.ThreadRule;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth compare}: one piece of work at several levels, run in turns. */
@Command(
        name = "compare",
        description = {
            "Run the same work at several affinity levels, in turns, and show what differs.",
            "The work is a job that comes with Berth (--jobs lists them; after -- come options of its own), or any command:"
                    + " bound as a whole, or, in a JVM, by single threads (--rule names them). Raw results and logs stay in a"
                    + " folder that is named at the end."
        })
public final class CompareCommand implements Callable<Integer> {
    private static final String ROLE = "task";
    /** Finds 5 % among runs that vary by 3 % in more than 8 of 10 comparisons of four arms; 6 runs in 4 of 10. */
    private static final int RUNS = 12;

    private static final int LEAST_RUNS = 6;
    private static final int MOST_RUNS = 30;

    @Option(names = "--job", paramLabel = "NAME", description = "Run this job, such as kmeans.")
    private Optional<String> job = Optional.empty();

    @Option(names = "--jobs", description = "List the jobs.")
    private boolean listJobs;

    @Option(
            names = "--levels",
            paramLabel = "LIST",
            description =
                    "Levels to compare; the first one is the baseline. Default none,package,core,pu, and numa where there"
                            + " are several nodes.")
    private Optional<String> levels = Optional.empty();

    @Option(
            names = "--policies",
            paramLabel = "LIST",
            description =
                    "Of the jobs on HDFS, instead of levels: stock (Hadoop as it is), none, node, interrupt; the first one is"
                            + " the baseline. Default " + PolicyArms.DEFAULT + ".")
    private Optional<String> policies = Optional.empty();

    @Option(
            names = "--runs",
            paramLabel = "N",
            description =
                    "Runs of each level that count; one more is a warm-up. Default " + RUNS + ", with --until-decided "
                            + MOST_RUNS + "; even numbers keep the order balanced, from 5 on there is an interval.")
    private Optional<Integer> runs = Optional.empty();

    @Option(
            names = "--until-decided",
            description =
                    "End as soon as each level is surely different from the first, or surely the same within 2 %%;"
                            + " --runs then is the most.")
    private boolean untilDecided;

    @Option(
            names = "--input",
            paramLabel = "PATH",
            description = "Table for the job kmeans; default: handwritten digits.")
    private Optional<Path> input = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Worker threads; default: one for each logical CPU that this process may use.")
    private Optional<Integer> threads = Optional.empty();

    @Option(names = "--scale", paramLabel = "N", description = "How much work the job does; --jobs tells in what unit.")
    private Optional<String> scale = Optional.empty();

    @Option(
            names = "--rule",
            paramLabel = "GLOB",
            description = "For a command: threads whose name matches (* and ?) get places; may be repeated.")
    private List<String> rules = new ArrayList<>();

    @Option(names = "--json", paramLabel = "FILE", description = "Write the summary as JSON; - is standard output.")
    private Optional<Path> json = Optional.empty();

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write the report (one page of HTML, also report.html among the results) to this file too.")
    private Optional<Path> report = Optional.empty();

    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "Folder for raw results; default berth-compare-<time>.")
    private Optional<Path> results = Optional.empty();

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Go on with an interrupted comparison: the same command line with this instead of --results."
                    + " --runs may be more, but not with --until-decided.")
    private Optional<Path> resume = Optional.empty();

    @Mixin
    private SelfCheck selfCheck = new SelfCheck();

    @Mixin
    private ConditionOptions conditions = new ConditionOptions();

    @Mixin
    private ArmOptions armOptions = new ArmOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "-- COMMAND",
            description = "The command to compare, or options of the --job.")
    private List<String> command = new ArrayList<>();

    private final Terminal terminal;

    public CompareCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (listJobs) {
            Job.table().forEach(terminal.out()::println);
            return 0;
        }
        Optional<Job> known = job.map(Job::named);
        checkOptions(known);
        Topology topology = TargetMachine.live().topology();
        List<AffinityLevel> wanted =
                selfCheck.levels(levels.map(CompareArms::levels).orElseGet(() -> CompareArms.defaultLevels(topology)));
        boolean wholeProcess = known.isEmpty() && rules.isEmpty();
        boolean javaLauncher = known.isEmpty() && CommandLookup.isJavaLauncher(program());
        boolean hdfs = known.map(Job::hasPolicies).orElse(false);
        List<String> byPolicy = hdfs ? policies() : List.of();
        CompareArms arms = hdfs
                ? PolicyArms.arms()
                : wholeProcess
                        ? ProcessArms.of(topology, wanted, width(topology), javaLauncher)
                        : CompareArms.of(topology, wanted, threads, threadRules(known));
        if (!hdfs && arms.plans().size() < 2 && armOptions.isEmpty() && !selfCheck.wanted()) {
            throw nothingToCompare(topology, wanted, wholeProcess);
        }
        json.ifPresent(file -> OutputFile.check(file.toString(), "the summary"));
        restoreKernel();
        report.ifPresent(file -> OutputFile.check(file.toString(), ReportFiles.WHAT));
        Experiment experiment;
        CompareFolder folder;
        // What is wrong with the work is said before a folder is made for its results.
        if (known.isPresent()) {
            JobRun work = JobRun.prepare(known.get(), input, arms.threads(), scale, command, terminal.err());
            JobArms.limits(known.get(), topology).forEach(terminal.err()::println);
            folder = CompareFolder.open(results, resume);
            experiment = hdfs
                    ? PolicyArms.experiment(work, byPolicy, rounds())
                    : JobArms.experiment(work, arms, folder, planner(), topology.allowedCpuSet(), rounds());
        } else {
            folder = CompareFolder.open(results, resume);
            CommandArms more = new CommandArms(topology, command, javaLauncher, folder::planFile);
            more.add(armOptions);
            arms = arms.withAbsent(more.absent());
            List<Arm> list = levelArms(javaLauncher, arms, folder, topology);
            list.addAll(more.arms());
            if (list.size() < 2 && !selfCheck.wanted()) {
                throw CommandException.failure("nothing to compare: " + String.join("; ", more.absent()));
            }
            experiment = commandExperiment(list);
        }
        experiment = selfCheck.apply(conditions.applyTo(experiment));
        CompareProgress progress = new CompareProgress(terminal.err(), experiment, arms);
        progress.announce(topology);
        if (!untilDecided) {
            progress.announceSensitivity();
        }
        try (StopSignal stop = StopSignal.install()) {
            stop.interrupts(Thread.currentThread());
            ExperimentRunner runner =
                    new ExperimentRunner(experiment, topology, folder.path(), progress, rule(experiment));
            ExperimentResult result = run(runner, folder);
            boolean stopped = Thread.interrupted();
            CompareReport table = new CompareReport(terminal, arms, result);
            int exitCode = table.print(json);
            table.files(topology, runner.timelines(), report);
            if (known.map(Job::isSeries).orElse(false)) {
                ClientsFigure.of(result).write(terminal, folder.path());
            }
            exitCode = selfCheck.conclude(terminal.out(), result, exitCode);
            terminal.out().flush();
            stop.finished(exitCode);
            return stopped ? 1 : exitCode;
        }
    }

    private List<String> policies() {
        PolicyArms.check(command);
        return PolicyArms.parse(policies.orElse(PolicyArms.DEFAULT), selfCheck.wanted());
    }

    private Optional<StoppingRule> rule(Experiment experiment) {
        return untilDecided
                ? Optional.of(StoppingRule.of(
                        experiment.arms().size(),
                        Math.max(1, experiment.metrics().size()),
                        LEAST_RUNS,
                        experiment.rounds(),
                        Verdict.MARGIN))
                : Optional.empty();
    }

    private int rounds() {
        return runs.orElse(untilDecided ? MOST_RUNS : RUNS);
    }

    private static ExperimentResult run(ExperimentRunner runner, CompareFolder folder) throws IOException {
        if (!folder.resumed()) {
            return runner.run();
        }
        try {
            return runner.resume();
        } catch (DifferentExperimentException e) {
            throw CommandException.failure(
                    "cannot resume " + folder.path() + ": " + e.getMessage() + "; start anew without --resume", e);
        }
    }

    private CommandException nothingToCompare(Topology topology, List<AffinityLevel> wanted, boolean wholeProcess) {
        String remedy = wholeProcess
                ? "give more --levels, --threads for fewer CPUs, --arm for ways of your own, or --rule for places of single"
                        + " threads"
                : "give --levels that it can tell apart";
        return CommandException.failure("nothing to compare: "
                + String.join(",", wanted.stream().map(Labels::lower).toList())
                + " come to the same places on this machine (CPUs " + topology.allowedCpuSet() + "); " + remedy);
    }

    /** What a comparison that was killed has left in the kernel would disturb this one. */
    private void restoreKernel() throws IOException {
        try {
            KernelSwitch.NUMA_BALANCING
                    .restoreLeftOver()
                    .ifPresent(line -> terminal.err().println("berth: " + line));
        } catch (IOException e) {
            if (armOptions.balancing()) {
                throw CommandException.failure("cannot switch automatic NUMA balancing: " + Reasons.of(e), e);
            }
            terminal.err().println("berth: note: these runs are disturbed: " + Reasons.of(e));
        }
    }

    /** With arms of the user's own, levels that nobody asked for must not bring runs of fewer CPUs. */
    private Optional<Integer> width(Topology topology) {
        return threads.isEmpty() && levels.isEmpty() && !armOptions.isEmpty()
                ? Optional.of(topology.allowedCpuSet().size())
                : threads;
    }

    private Path program() {
        return CommandLookup.find(command.get(0), System.getenv().getOrDefault("PATH", ""));
    }

    private void checkOptions(Optional<Job> known) {
        if (known.isEmpty() && command.isEmpty()) {
            throw CommandException.usage(
                    "give the work to compare: either --job NAME (--jobs lists them) or -- COMMAND");
        }
        if (known.isEmpty() && (scale.isPresent() || input.isPresent())) {
            throw CommandException.usage("--scale and --input are for jobs; a command takes its own words");
        }
        if (input.isPresent() && !known.map(Job::readsInput).orElse(false)) {
            throw CommandException.usage("--input is for the job that reads a table, kmeans");
        }
        boolean hdfs = known.map(Job::hasPolicies).orElse(false);
        if (hdfs && (levels.isPresent() || threads.isPresent())) {
            throw CommandException.usage((levels.isPresent() ? "--levels" : "--threads") + " is not for the job "
                    + job.orElseThrow()
                    + ": its DataNodes place their threads by --policies, and its clients are an option"
                    + " of its own (-- --clients N)");
        }
        if (!hdfs && policies.isPresent()) {
            throw CommandException.usage("--policies is for the jobs on HDFS (--jobs lists them)");
        }
        if (job.isPresent() && !armOptions.isEmpty()) {
            throw CommandException.usage("--arm, --near, --numactl and --numa-balancing are for commands; the job is"
                    + " compared at --levels");
        }
        List<UserArm> unused = armOptions.userArms();
        conditions.check(job.isPresent());
        CompareFolder.check(results, resume);
        if (job.isPresent() && !rules.isEmpty()) {
            throw CommandException.usage("--rule is for commands; the job knows its threads");
        }
        atLeastOne("--runs", runs);
        selfCheck.check(armOptions, rounds());
        if (untilDecided && rounds() < LEAST_RUNS) {
            throw CommandException.usage(
                    "--until-decided looks from run " + LEAST_RUNS + " on; --runs " + rounds() + " are fewer");
        }
        atLeastOne("--threads", threads);
    }

    private static void atLeastOne(String option, Optional<Integer> value) {
        if (value.isPresent() && value.get() < 1) {
            throw CommandException.usage(option + " " + value.get() + ": give a number of at least 1");
        }
    }

    private List<ThreadRule> threadRules(Optional<Job> known) {
        if (known.isPresent()) {
            return JobArms.rules(known.get(), ROLE);
        }
        return rules.stream().map(glob -> new ThreadRule(glob, ROLE)).toList();
    }

    private Experiment commandExperiment(List<Arm> list) {
        try {
            Experiment experiment =
                    Experiment.of(command.get(0), list).withRounds(rounds()).withWorkers(workers());
            return rules.isEmpty() ? experiment.withThreads(Experiment.ThreadScope.ALL) : experiment;
        } catch (IllegalArgumentException twoOfOneName) {
            throw CommandException.usage("--arm: " + twoOfOneName.getMessage() + "; give another name");
        }
    }

    private List<ThreadNamePattern> workers() {
        return rules.stream().map(ThreadNamePattern::of).toList();
    }

    private List<Arm> levelArms(boolean javaLauncher, CompareArms arms, CompareFolder folder, Topology topology) {
        LaunchPlanner planner = planner();
        List<Arm> list = new ArrayList<>();
        arms.plans().forEach((level, plan) -> {
            LaunchPlanner.Means means = level == AffinityLevel.NONE
                    ? LaunchPlanner.Means.NOTHING
                    : planner.meansFor(plan, topology.allowedCpuSet(), javaLauncher);
            String name = Labels.lower(level);
            Launch launch = planner.launch(plan, means, command, () -> folder.planFile(plan, name));
            list.add(new Arm(name, launch.words(), launch.environment(), expectation(plan)));
        });
        return list;
    }

    private Expectation expectation(PlacementPlan plan) {
        return rules.isEmpty() ? ProcessArms.expectation(plan) : CompareArms.expectation(plan, workers());
    }

    private static LaunchPlanner planner() {
        return new LaunchPlanner(
                NativeLibrary::file,
                NativeLibrary::launcher,
                System.getenv().getOrDefault("JAVA_TOOL_OPTIONS", ""),
                true);
    }
}
