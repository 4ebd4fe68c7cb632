package org.berth.cli.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.berth.cli.bench.jobs.EngineArms;
import org.berth.cli.bench.jobs.Job;
import org.berth.cli.bench.jobs.PolicyArms;
import org.berth.cli.bench.jobs.SettingArms;
import org.berth.cli.bench.jobs.WayArms;
import org.berth.cli.compare.ComparisonOptions;
import org.berth.cli.compare.Work;
import org.berth.cli.compare.arms.LevelOptions;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.jobkit.EngineArm;
import org.berth.jobkit.WayArm;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code bench} that choose the job and its arms. */
final class JobChoice {
    @Parameters(index = "0", arity = "0..1", paramLabel = "JOB", description = "The job; without it, all are listed.")
    private Optional<String> job = Optional.empty();

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "-- OPTIONS", description = "Options of the job itself.")
    private List<String> options = new ArrayList<>();

    @Mixin
    private LevelOptions levels = new LevelOptions();

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
            names = "--policies",
            paramLabel = "LIST",
            description =
                    "Instead of levels; the first one is the baseline. For the jobs on HDFS: stock (Hadoop without Berth),"
                            + " none, node, interrupt, fast-rpc; default: " + PolicyArms.DEFAULT
                            + ". For those on Spark: stock (Spark"
                            + " without the plugin) or values of spark.berth.level, which +KEY=VALUE extends by"
                            + " spark.berth.KEY; default of tiny-tasks: " + SettingArms.DEFAULT + ".")
    private Optional<String> policies = Optional.empty();

    @Option(names = "--scale", paramLabel = "N", description = "Amount of work; the list of jobs has the unit.")
    private Optional<String> scale = Optional.empty();

    @Option(
            names = "--input",
            paramLabel = "PATH",
            description =
                    "Table for the jobs kmeans and mr-kmeans, by default handwritten digits; text for mr-sort, by default"
                            + " Python's documentation; graph for mr-pagerank and mr-components, by default Debian's"
                            + " packages; genome for mr-duplicates and mr-correction, by default Escherichia coli.")
    private Optional<String> input = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Number of worker threads; default: one for each allowed CPU.")
    private Optional<String> threads = Optional.empty();

    boolean isMissing() {
        return job.isEmpty();
    }

    /** The work that the options choose; a usage error when they do not go together. */
    Work work(ComparisonOptions comparison) {
        Job known = Job.named(job.orElseThrow());
        threads();
        refuse(
                input.isPresent() && !known.readsInput(),
                "--input is for jobs that read a file: "
                        + names(Job.all().stream().filter(Job::readsInput).toList()));
        if (comparison.arms().replacesLevels()) {
            return balanceJob(known, comparison);
        }
        boolean hasLevels = hasLevels(known);
        refuse(
                !hasLevels && !comparison.arms().isEmpty(),
                "--arm, --near, --numactl and --numa-balancing are for jobs of one process at several levels, and the arms"
                        + " of " + known.name() + " are others");
        if (hasLevels) {
            return levelJob(known, comparison);
        }
        boolean oneIsEnough = comparison.isSelfCheck() || comparison.kernel().given();
        if (known.hasEngines()) {
            return engineJob(known, oneIsEnough);
        }
        if (known.hasWays()) {
            return wayJob(known, oneIsEnough);
        }
        if (known.hasPolicies()) {
            return policyJob(known, oneIsEnough);
        }
        return settingsJob(known, oneIsEnough);
    }

    /** Whether levels are its arms, and not engines, ways, policies or settings of Spark's plugin. */
    private boolean hasLevels(Job known) {
        boolean settings = known.isOnSpark() && (policies.isPresent() || (known.comparesSettings() && !levels.given()));
        return !settings && isOneProcess(known);
    }

    private static boolean isOneProcess(Job job) {
        return !job.hasPolicies() && !job.hasEngines() && !job.hasWays();
    }

    private Optional<Integer> threads() {
        return threads.map(text -> Arguments.count("--threads", text));
    }

    private Optional<Path> input() {
        return input.map(Path::of);
    }

    private Work balanceJob(Job known, ComparisonOptions comparison) {
        List<Job> single = Job.all().stream().filter(JobChoice::isOneProcess).toList();
        refuse(
                !isOneProcess(known),
                "--balance-or-bind binds one process as a whole, and the job " + known.name()
                        + " starts several: give it a command that starts all of them, or one of the jobs "
                        + names(single));
        return new BalanceJob(
                known, threads(), input(), scale, comparison.arms().arms(), options);
    }

    private static String names(List<Job> jobs) {
        return jobs.stream().map(Job::name).collect(Collectors.joining(", "));
    }

    private Work levelJob(Job known, ComparisonOptions comparison) {
        requireArmsOf(known, "its arms are levels", "--levels", "--threads");
        return new LevelJob(
                known,
                levels.choice(comparison.isSelfCheck(), comparison.kernel()),
                threads(),
                input(),
                scale,
                comparison.arms().arms(),
                options);
    }

    private Work settingsJob(Job known, boolean oneIsEnough) {
        requireArmsOf(known, "its arms are settings", "--policies", "--threads");
        List<String> arms = SettingArms.WORDS.parse(policies.orElse(SettingArms.DEFAULT), oneIsEnough);
        return new SettingsJob(known, arms, threads(), input(), scale, options);
    }

    private Work policyJob(Job known, boolean oneIsEnough) {
        requireArmsOf(
                known,
                "its DataNodes place their threads by --policies, and its clients are an option of its own"
                        + " (-- --clients N)",
                "--policies");
        PolicyArms.WORDS.check(options);
        return new PolicyJob(
                known, PolicyArms.WORDS.parse(policies.orElse(PolicyArms.DEFAULT), oneIsEnough), scale, options);
    }

    private Work engineJob(Job known, boolean oneIsEnough) {
        requireArmsOf(known, "its arms are engines, such as " + EngineArms.ordinary(), "--engines");
        EngineArms.WORDS.check(options);
        return new EngineArmsJob(
                known,
                EngineArms.WORDS.parse(engines.orElseGet(EngineArms::ordinary), oneIsEnough),
                input(),
                scale,
                options);
    }

    private Work wayJob(Job known, boolean oneIsEnough) {
        requireArmsOf(known, "its arms are ways of messages", "--ways");
        WayArms.WORDS.check(options);
        WayArms.Choice choice = ways.map(list -> new WayArms.Choice(WayArms.WORDS.parse(list, oneIsEnough), List.of()))
                .orElseGet(WayArms::ordinary);
        return new WayJob(known, choice, scale, options);
    }

    /** A usage error for an option that chooses arms which this job cannot have. */
    private void requireArmsOf(Job known, String why, String... own) {
        Map<String, Boolean> choices = new LinkedHashMap<>();
        choices.put("--levels", levels.given());
        choices.put("--policies", policies.isPresent());
        choices.put("--engines", engines.isPresent());
        choices.put("--ways", ways.isPresent());
        choices.put("--threads", threads.isPresent());
        choices.keySet().removeAll(List.of(own));
        choices.forEach((option, given) ->
                refuse(given, option + " is not for the job " + known.name() + ": " + why + " (" + own[0] + ")"));
    }

    private static void refuse(boolean wrong, String message) {
        if (wrong) {
            throw CommandException.usage(message);
        }
    }
}
