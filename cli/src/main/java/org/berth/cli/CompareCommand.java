package org.berth.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.berth.binding.NativeLibrary;
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
            "The work is the K-Means job on Spark that comes with Berth (--job kmeans), or any command: bound as a whole,"
                    + " or, in a JVM, by the threads that --rule names. Raw results and logs stay in a folder that is named at the end."
        })
final class CompareCommand implements Callable<Integer> {
    private static final String ROLE = "task";
    private static final int RUNS = 6;
    private static final int LEAST_RUNS = 6;
    private static final int MOST_RUNS = 30;

    @Option(names = "--job", paramLabel = "NAME", description = "Run this job: kmeans.")
    private Optional<String> job = Optional.empty();

    @Option(
            names = "--levels",
            paramLabel = "LIST",
            defaultValue = "none,cpu,core,pu",
            description = "Levels to compare; the first one is the baseline. Default ${DEFAULT-VALUE}.")
    private String levels = "none,cpu,core,pu";

    @Option(
            names = "--runs",
            paramLabel = "N",
            description =
                    "Runs of each level that count; one more is a warm-up. Default " + RUNS + ", with --until-decided "
                            + MOST_RUNS + "; even numbers keep the order balanced, from 5 on there is an interval.")
    private Optional<Integer> runs = Optional.empty();

    @Option(
            names = "--until-decided",
            description = "End as soon as each level is surely different from the first, or surely the same within 2 %;"
                    + " --runs then is the most.")
    private boolean untilDecided;

    @Option(names = "--input", paramLabel = "PATH", description = "Data for the job; default: handwritten digits.")
    private Optional<Path> input = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Worker threads; default: one for each logical CPU that this process may use.")
    private Optional<Integer> threads = Optional.empty();

    @Option(names = "--scale", paramLabel = "N", description = "Repeat the job's input N times.")
    private Optional<Integer> scale = Optional.empty();

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
                    + " --runs may be more.")
    private Optional<Path> resume = Optional.empty();

    @Mixin
    private ConditionOptions conditions = new ConditionOptions();

    @Mixin
    private ArmOptions armOptions = new ArmOptions();

    @Parameters(arity = "0..*", paramLabel = "-- COMMAND", description = "The command to compare, instead of --job.")
    private List<String> command = new ArrayList<>();

    private final Terminal terminal;

    CompareCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkOptions();
        Topology topology = TargetMachine.live().topology();
        List<AffinityLevel> wanted = CompareArms.levels(levels);
        boolean wholeProcess = job.isEmpty() && rules.isEmpty();
        CompareArms arms = wholeProcess
                ? CompareArms.ofProcess(topology, wanted, threads)
                : CompareArms.of(topology, wanted, threads, threadRules());
        if (arms.plans().size() < 2 && armOptions.isEmpty()) {
            throw nothingToCompare(topology, wholeProcess);
        }
        json.ifPresent(file -> OutputFile.check(file.toString(), "the summary"));
        restoreKernel();
        report.ifPresent(file -> OutputFile.check(file.toString(), ReportFiles.WHAT));
        Experiment experiment;
        CompareFolder folder;
        // What is wrong with the work is said before a folder is made for its results.
        if (job.isPresent()) {
            KMeansJob kmeans = KMeansJob.prepare(input, arms.threads(), scale);
            folder = CompareFolder.open(results, resume);
            experiment = jobExperiment(kmeans, arms, folder, topology);
        } else {
            Path program = CommandLookup.find(command.get(0), System.getenv().getOrDefault("PATH", ""));
            folder = CompareFolder.open(results, resume);
            boolean javaLauncher = CommandLookup.isJavaLauncher(program);
            CommandArms more = new CommandArms(topology, command, javaLauncher, folder::planFile);
            more.add(armOptions);
            arms = arms.withAbsent(more.absent());
            List<Arm> list = levelArms(javaLauncher, arms, folder, topology);
            list.addAll(more.arms());
            if (list.size() < 2) {
                throw CommandException.failure("nothing to compare: " + String.join("; ", more.absent()));
            }
            experiment = commandExperiment(list);
        }
        experiment = conditions.applyTo(experiment);
        CompareProgress progress = new CompareProgress(terminal.err(), experiment, arms);
        progress.announce(topology);
        try (StopSignal stop = StopSignal.install()) {
            stop.interrupts(Thread.currentThread());
            ExperimentRunner runner =
                    new ExperimentRunner(experiment, topology, folder.path(), progress, rule(experiment));
            ExperimentResult result = run(runner, folder);
            boolean stopped = Thread.interrupted();
            CompareReport table = new CompareReport(terminal, arms, result);
            int exitCode = table.print(json);
            table.files(topology, runner.timelines(), report);
            terminal.out().flush();
            stop.finished(exitCode);
            return stopped ? 1 : exitCode;
        }
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

    private CommandException nothingToCompare(Topology topology, boolean wholeProcess) {
        String remedy = wholeProcess
                ? "give --threads for fewer CPUs, --arm for ways of your own, or --rule for places of single threads"
                : "give --levels that it can tell apart";
        return CommandException.failure("nothing to compare: " + levels
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

    private void checkOptions() {
        if (job.isPresent() != command.isEmpty()) {
            throw CommandException.usage("give the work to compare: either --job kmeans or -- COMMAND");
        }
        if (job.isPresent() && !job.get().equals("kmeans")) {
            throw CommandException.usage("--job " + job.get() + ": unknown job; there is kmeans");
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
        if (untilDecided && rounds() < LEAST_RUNS) {
            throw CommandException.usage(
                    "--until-decided looks from run " + LEAST_RUNS + " on; --runs " + rounds() + " are fewer");
        }
        if (untilDecided && resume.isPresent()) {
            throw CommandException.usage("--until-decided and --resume exclude each other: what a rule may look at is"
                    + " fixed before the first run");
        }
        atLeastOne("--threads", threads);
        atLeastOne("--scale", scale);
    }

    private static void atLeastOne(String option, Optional<Integer> value) {
        if (value.isPresent() && value.get() < 1) {
            throw CommandException.usage(option + " " + value.get() + ": give a number of at least 1");
        }
    }

    private List<ThreadRule> threadRules() {
        return rules.stream().map(glob -> new ThreadRule(glob, ROLE)).toList();
    }

    private Experiment jobExperiment(KMeansJob kmeans, CompareArms arms, CompareFolder folder, Topology topology) {
        List<ThreadNamePattern> workers = List.of(ThreadNamePattern.of(KMeansJob.TASK_THREADS));
        LaunchPlanner planner = planner();
        List<Arm> list = new ArrayList<>();
        for (Map.Entry<AffinityLevel, PlacementPlan> one : arms.plans().entrySet()) {
            PlacementPlan plan = one.getValue();
            boolean bound = one.getKey() != AffinityLevel.NONE;
            // The agent is needed only where the union of all places is less than the JVM has anyway.
            boolean narrower = bound && !plan.cpus().equals(topology.allowedCpuSet());
            List<String> agent = narrower
                    ? List.of(planner.agentWord(plan, () -> folder.planFile(plan, Arguments.lower(plan.level()))))
                    : List.of();
            Optional<Path> tasks =
                    bound ? Optional.of(folder.planFile(plan, Arguments.lower(plan.level()))) : Optional.empty();
            list.add(new Arm(
                    Arguments.lower(one.getKey()),
                    kmeans.command(agent, tasks),
                    KMeansJob.ENVIRONMENT,
                    CompareArms.expectation(plan, workers)));
        }
        return Experiment.of("kmeans", list)
                .withRounds(rounds())
                .withMetric(KMeansJob.SECONDS)
                .withWorkers(workers);
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
            String name = Arguments.lower(level);
            Launch launch = planner.launch(plan, means, command, () -> folder.planFile(plan, name));
            list.add(new Arm(name, launch.words(), launch.environment(), expectation(plan)));
        });
        return list;
    }

    private Expectation expectation(PlacementPlan plan) {
        return rules.isEmpty() && plan.level() != AffinityLevel.NONE
                ? Expectation.within(plan.workerCpus(0))
                : CompareArms.expectation(plan, workers());
    }

    private static LaunchPlanner planner() {
        return new LaunchPlanner(
                NativeLibrary::file,
                NativeLibrary::launcher,
                System.getenv().getOrDefault("JAVA_TOOL_OPTIONS", ""),
                true);
    }
}
