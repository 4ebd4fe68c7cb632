package org.berth.cli.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.berth.cli.compare.arms.ArmOptions;
import org.berth.cli.compare.arms.KernelOptions;
import org.berth.cli.compare.arms.LevelChoice;
import org.berth.cli.compare.jobs.EngineArms;
import org.berth.cli.compare.jobs.Job;
import org.berth.cli.compare.jobs.PolicyArms;
import org.berth.cli.compare.jobs.SettingArms;
import org.berth.cli.compare.jobs.WayArms;
import org.berth.cli.compare.study.CollectorPlan;
import org.berth.cli.compare.study.CollectorStudy;
import org.berth.cli.compare.study.StudyOptions;
import org.berth.cli.compare.study.StudyPlan;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.jobkit.EngineArm;
import org.berth.jobkit.WayArm;
import org.berth.placement.OrderedLevel;
import org.berth.topology.Topology;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code compare} that choose the work and its arms. */
final class WorkOptions {
    @Option(names = "--job", paramLabel = "NAME", description = "Run this job, such as kmeans.")
    private Optional<String> job = Optional.empty();

    @Option(
            names = "--levels",
            paramLabel = "LIST",
            description =
                    "Levels to compare; the first one is the baseline. Default: none,package,core,pu, and numa on machines"
                            + " with several nodes.")
    private Optional<String> levels = Optional.empty();

    @Option(
            names = "--policies",
            paramLabel = "LIST",
            description =
                    "Instead of levels; the first one is the baseline. For the jobs on HDFS: stock (Hadoop without Berth),"
                            + " none, node, interrupt, fast-rpc; default: " + PolicyArms.DEFAULT
                            + ". For those on Spark: stock (Spark"
                            + " without the plugin) or values of spark.berth.level, which +KEY=VALUE extends by"
                            + " spark.berth.KEY; default of tiny-tasks: " + SettingArms.DEFAULT + ".")
    private Optional<String> policies = Optional.empty();

    @Option(
            names = "--engines",
            paramLabel = "LIST",
            description = "Instead of levels, for the jobs on MapReduce; the first one is the baseline: "
                    + EngineArm.WORDS + ". +heap=SIZE and, for berth and berth-spark, +KEY=VALUE extend a word by a"
                    + " maximum heap and by berth.mapreduce.KEY. Default: local,local-N,berth with N the number of"
                    + " CPUs.")
    private Optional<String> engines = Optional.empty();

    @Option(
            names = "--ways",
            paramLabel = "LIST",
            description =
                    "Instead of levels, for the messaging jobs (rpc-latency, rpc-throughput, shuffle); the first one"
                            + " is the baseline: " + WayArm.WORDS + ". +KEY=VALUE extends a word by berth.rpc.KEY or"
                            + " spark.berth.shuffle.KEY. Default: stock and each provider of this host.")
    private Optional<String> ways = Optional.empty();

    @Option(
            names = "--input",
            paramLabel = "PATH",
            description =
                    "Table for the jobs kmeans and mr-kmeans, by default handwritten digits; text for mr-sort, by default"
                            + " Python's documentation; graph for mr-pagerank and mr-components, by default Debian's"
                            + " packages; genome for mr-duplicates and mr-correction, by default Escherichia coli. For a"
                            + " study, WORKLOAD=PATH,….")
    private Optional<String> input = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description =
                    "Number of worker threads; default: one for each allowed CPU. For a study, a list: threads of each worker.")
    private Optional<String> threads = Optional.empty();

    @Option(
            names = "--scale",
            paramLabel = "N",
            description =
                    "Amount of work of the job; --jobs prints the unit. For a study, of each workload, or WORKLOAD=N,… of some.")
    private Optional<String> scale = Optional.empty();

    @Option(
            names = "--rule",
            paramLabel = "GLOB",
            description = "For a command: threads whose name matches (* and ?) get slots; may be repeated.")
    private List<String> rules = new ArrayList<>();

    @Mixin
    private KernelOptions kernel = new KernelOptions();

    @Mixin
    private ArmOptions armOptions = new ArmOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "-- COMMAND",
            description = "The command to compare, or options of the --job.")
    private List<String> command = new ArrayList<>();

    /**
     * The work that the options choose; a usage error when they do not go together.
     *
     * @param selfCheck whether one arm is enough
     */
    Work work(boolean selfCheck) {
        threads();
        if (job.isEmpty()) {
            return command(selfCheck);
        }
        boolean oneIsEnough = selfCheck || kernel.given();
        Job known = Job.named(job.get());
        if (armOptions.replacesLevels()) {
            return balanceJob(known);
        }
        refuse(
                !armOptions.isEmpty(),
                "--arm, --near, --numactl and --numa-balancing are for commands, not for --job without"
                        + " --balance-or-bind");
        refuseInput(known);
        if (known.hasEngines()) {
            return engineJob(known, oneIsEnough);
        }
        if (known.hasWays()) {
            return wayJob(known, oneIsEnough);
        }
        if (known.hasPolicies()) {
            return policyJob(known, oneIsEnough);
        }
        boolean settings =
                known.isOnSpark() && (policies.isPresent() || (known.comparesSettings() && levels.isEmpty()));
        return settings ? settingsJob(known, oneIsEnough) : levelJob(known, selfCheck);
    }

    private Optional<Integer> threads() {
        return threads.map(text -> Arguments.count("--threads", text));
    }

    private Optional<Path> input() {
        return input.map(Path::of);
    }

    /** The study that the options choose; a usage error when they do not go together. */
    StudyPlan study(StudyOptions options, Topology topology) {
        String name = options.study().orElseThrow();
        boolean collectors = name.equals(StudyOptions.COLLECTORS);
        refuse(
                !collectors && !name.equals(StudyOptions.AFFINITY),
                "--study " + name + ": unknown study; there is " + StudyOptions.AFFINITY + " and "
                        + StudyOptions.COLLECTORS);
        if (collectors) {
            return new CollectorPlan(
                    CollectorStudy.of(options, levels(false).given(), threads(), scale, command, topology));
        }
        refuse(!command.isEmpty(), "--study " + name + " runs work of its own; leave the command out");
        return new AffinityPlan(AffinityStudy.of(options, engines, levels(false), threads, scale, input, topology));
    }

    boolean hasCommand() {
        return !command.isEmpty();
    }

    boolean isJob() {
        return job.isPresent();
    }

    ArmOptions armOptions() {
        return armOptions;
    }

    KernelOptions kernel() {
        return kernel;
    }

    /** Whether an arm may switch settings of the kernel. */
    boolean switchesKernel() {
        return kernel.given() || armOptions.switchesKernel();
    }

    private Work command(boolean selfCheck) {
        refuse(command.isEmpty(), "give the work to compare: either --job NAME (--jobs lists them) or -- COMMAND");
        requireArmsOf("a command", "its arms are levels", "--levels", "--threads");
        refuse(
                armOptions.replacesLevels() && threads.isPresent(),
                "--threads is for levels, which --balance-or-bind replaces; leave it out");
        return new CommandWork(command, levels(selfCheck), threads(), rules, armOptions.arms());
    }

    private Work balanceJob(Job known) {
        refuse(
                known.hasPolicies() || known.hasEngines() || known.hasWays(),
                "--balance-or-bind binds one process as a whole, and the job " + known.name()
                        + " starts several: give it a command that starts all of them, or one of the jobs "
                        + Job.all().stream()
                                .filter(one -> !one.hasPolicies() && !one.hasEngines() && !one.hasWays())
                                .map(Job::name)
                                .collect(Collectors.joining(", ")));
        refuseInput(known);
        return new BalanceJob(known, threads(), input(), scale, armOptions.arms(), command);
    }

    private void refuseInput(Job known) {
        refuse(
                input.isPresent() && !known.readsInput(),
                "--input is for jobs that read a file: "
                        + Job.all().stream()
                                .filter(Job::readsInput)
                                .map(Job::name)
                                .collect(Collectors.joining(", ")));
    }

    private Work levelJob(Job known, boolean selfCheck) {
        requireArmsOf("the job " + known.name(), "its arms are levels", "--levels", "--threads");
        return new LevelJob(known, levels(selfCheck), threads(), input(), scale, command);
    }

    private Work settingsJob(Job known, boolean selfCheck) {
        requireArmsOf("the job " + known.name(), "its arms are settings", "--policies", "--threads");
        List<String> arms = SettingArms.WORDS.parse(policies.orElse(SettingArms.DEFAULT), selfCheck);
        return new SettingsJob(known, arms, threads(), input(), scale, command);
    }

    private Work policyJob(Job known, boolean selfCheck) {
        requireArmsOf(
                "the job " + known.name(),
                "its DataNodes place their threads by --policies, and its clients are an option of its own"
                        + " (-- --clients N)",
                "--policies");
        PolicyArms.WORDS.check(command);
        return new PolicyJob(
                known, PolicyArms.WORDS.parse(policies.orElse(PolicyArms.DEFAULT), selfCheck), scale, command);
    }

    private Work engineJob(Job known, boolean selfCheck) {
        requireArmsOf("the job " + known.name(), "its arms are engines, such as " + EngineArms.ordinary(), "--engines");
        EngineArms.WORDS.check(command);
        return new EngineArmsJob(
                known,
                EngineArms.WORDS.parse(engines.orElseGet(EngineArms::ordinary), selfCheck),
                input(),
                scale,
                command);
    }

    private Work wayJob(Job known, boolean selfCheck) {
        requireArmsOf("the job " + known.name(), "its arms are ways of messages", "--ways");
        WayArms.WORDS.check(command);
        WayArms.Choice choice = ways.map(list -> new WayArms.Choice(WayArms.WORDS.parse(list, selfCheck), List.of()))
                .orElseGet(WayArms::ordinary);
        return new WayJob(known, choice, scale, command);
    }

    private LevelChoice levels(boolean selfCheck) {
        Optional<List<OrderedLevel>> given = levels.map(LevelChoice::parse);
        boolean one = given.filter(list -> list.size() == 1).isPresent();
        return new LevelChoice(given, selfCheck || (one && kernel.given()));
    }

    /** A usage error for an option that chooses arms which this work cannot have. */
    private void requireArmsOf(String work, String why, String... own) {
        Map<String, Optional<String>> choices = new LinkedHashMap<>();
        choices.put("--levels", levels);
        choices.put("--policies", policies);
        choices.put("--engines", engines);
        choices.put("--ways", ways);
        choices.put("--threads", threads);
        choices.keySet().removeAll(List.of(own));
        choices.forEach((option, value) ->
                refuse(value.isPresent(), option + " is not for " + work + ": " + why + " (" + own[0] + ")"));
    }

    private static void refuse(boolean wrong, String message) {
        if (wrong) {
            throw CommandException.usage(message);
        }
    }

    static void requireAtLeastOne(String option, Optional<Integer> value) {
        refuse(
                value.isPresent() && value.get() < 1,
                option + " " + value.map(String::valueOf).orElse("") + ": give a number of at least 1");
    }
}
