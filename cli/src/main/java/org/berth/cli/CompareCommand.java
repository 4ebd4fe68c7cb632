package org.berth.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.berth.binding.NativeLibrary;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.ExperimentResult;
import org.berth.experiments.ExperimentRunner;
import org.berth.observation.ThreadNamePattern;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.ThreadRule;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth compare}: one piece of work at several levels, run in turns. */
@Command(
        name = "compare",
        description = {
            "Run the same work at several affinity levels, in turns, and show what differs.",
            "The work is the K-Means job on Spark that comes with Berth (--job kmeans), or a command whose worker threads"
                    + " --rule names. Raw results and logs stay in a folder that is named at the end."
        })
final class CompareCommand implements Callable<Integer> {
    private static final String ROLE = "task";

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
            defaultValue = "6",
            description = "Runs of each level that count; one more is a warm-up. Default ${DEFAULT-VALUE}; even numbers"
                    + " keep the order balanced, from 5 on there is an interval.")
    private int runs = 6;

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
        CompareArms arms = CompareArms.of(topology, CompareArms.levels(levels), threads, threadRules());
        if (arms.plans().size() < 2) {
            throw CommandException.failure(
                    "nothing to compare: " + levels + " come to the same places on this machine (CPUs "
                            + topology.allowedCpuSet() + "); give --levels that it can tell apart");
        }
        json.ifPresent(file -> OutputFile.check(file.toString(), "the summary"));
        report.ifPresent(file -> OutputFile.check(file.toString(), ReportFiles.WHAT));
        Experiment experiment;
        Path folder;
        // What is wrong with the work is said before a folder is made for its results.
        if (job.isPresent()) {
            KMeansJob kmeans = KMeansJob.prepare(input, arms.threads(), scale);
            folder = folder();
            experiment = jobExperiment(kmeans, arms, folder, topology);
        } else {
            Path program = CommandLookup.find(command.get(0), System.getenv().getOrDefault("PATH", ""));
            folder = folder();
            experiment = commandExperiment(CommandLookup.isJavaLauncher(program), arms, folder, topology);
        }
        CompareProgress progress = new CompareProgress(terminal.err(), experiment, arms);
        progress.announce(topology);
        try (StopSignal stop = StopSignal.install()) {
            stop.interrupts(Thread.currentThread());
            ExperimentRunner runner = new ExperimentRunner(experiment, topology, folder, progress);
            ExperimentResult result = runner.run();
            boolean stopped = Thread.interrupted();
            CompareReport table = new CompareReport(terminal, arms, result);
            int exitCode = table.print(json);
            table.files(topology, runner.timelines(), report);
            terminal.out().flush();
            stop.finished(exitCode);
            return stopped ? 1 : exitCode;
        }
    }

    private void checkOptions() {
        if (job.isPresent() != command.isEmpty()) {
            throw CommandException.usage("give the work to compare: either --job kmeans or -- COMMAND");
        }
        if (job.isPresent() && !job.get().equals("kmeans")) {
            throw CommandException.usage("--job " + job.get() + ": unknown job; there is kmeans");
        }
        if (job.isEmpty() && rules.isEmpty()) {
            throw CommandException.usage("a command needs --rule GLOB: the names of the threads that do its work, for"
                    + " example --rule 'worker-*' ('berth watch' shows names)");
        }
        if (job.isPresent() && !rules.isEmpty()) {
            throw CommandException.usage("--rule is for commands; the job knows its threads");
        }
        atLeastOne("--runs", Optional.of(runs));
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

    private Path folder() throws IOException {
        String now = LocalDateTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
        Path folder = results.orElse(Path.of("berth-compare-" + now)).toAbsolutePath();
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw CommandException.failure(
                    "cannot make the folder for results " + folder + ": " + Reasons.of(e) + "; give another --results",
                    e);
        }
        if (Files.exists(folder.resolve("trials.jsonl"))) {
            throw CommandException.usage("--results " + folder + ": it holds results already; give a new folder");
        }
        return folder;
    }

    private Experiment jobExperiment(KMeansJob kmeans, CompareArms arms, Path folder, Topology topology) {
        List<ThreadNamePattern> workers = List.of(ThreadNamePattern.of(KMeansJob.TASK_THREADS));
        LaunchPlanner planner = planner();
        List<Arm> list = new ArrayList<>();
        for (Map.Entry<AffinityLevel, PlacementPlan> one : arms.plans().entrySet()) {
            PlacementPlan plan = one.getValue();
            boolean bound = one.getKey() != AffinityLevel.NONE;
            // The agent is needed only where the union of all places is less than the JVM has anyway.
            boolean narrower = bound && !plan.cpus().equals(topology.allowedCpuSet());
            List<String> agent = narrower ? List.of(planner.agentWord(plan, () -> planFile(plan, folder))) : List.of();
            Optional<Path> tasks = bound ? Optional.of(planFile(plan, folder)) : Optional.empty();
            list.add(new Arm(
                    Arguments.lower(one.getKey()),
                    kmeans.command(agent, tasks),
                    KMeansJob.ENVIRONMENT,
                    CompareArms.expectation(plan, workers)));
        }
        return Experiment.of("kmeans", list)
                .withRounds(runs)
                .withMetric(KMeansJob.SECONDS)
                .withWorkers(workers);
    }

    private Experiment commandExperiment(boolean javaLauncher, CompareArms arms, Path folder, Topology topology) {
        List<ThreadNamePattern> workers =
                rules.stream().map(ThreadNamePattern::of).toList();
        LaunchPlanner planner = planner();
        List<Arm> list = new ArrayList<>();
        arms.plans().forEach((level, plan) -> {
            LaunchPlanner.Means means = level == AffinityLevel.NONE
                    ? LaunchPlanner.Means.NOTHING
                    : planner.meansFor(plan, topology.allowedCpuSet(), javaLauncher);
            Launch launch = planner.launch(plan, means, command, () -> planFile(plan, folder));
            list.add(new Arm(
                    Arguments.lower(level),
                    launch.words(),
                    launch.environment(),
                    CompareArms.expectation(plan, workers)));
        });
        return Experiment.of(command.get(0), list).withRounds(runs).withWorkers(workers);
    }

    private static LaunchPlanner planner() {
        return new LaunchPlanner(
                NativeLibrary::file,
                NativeLibrary::launcher,
                System.getenv().getOrDefault("JAVA_TOOL_OPTIONS", ""),
                true);
    }

    private static Path planFile(PlacementPlan plan, Path folder) {
        Path file = folder.resolve("plan-" + Arguments.lower(plan.level()) + ".txt");
        try {
            return Files.writeString(file, plan.toText());
        } catch (IOException e) {
            throw CommandException.failure("cannot write the plan " + file + ": " + Reasons.of(e), e);
        }
    }
}
