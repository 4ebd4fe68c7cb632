package org.berth.cli.compare;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.cli.compare.arms.MetricOption;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Conditions;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.experiments.run.RunPreparation;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the conditions of each run, and for what is measured. */
public final class ConditionOptions {
    @Option(
            names = "--cool-down",
            paramLabel = "SECONDS",
            description = "Pause before each run except the first; default: none.")
    private Optional<String> coolDown = Optional.empty();

    @Option(names = "--drop-caches", description = "Drop the kernel's file cache before each run (root only).")
    private boolean dropCaches;

    @Mixin
    private HookOptions hooks = new HookOptions();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "End a run that takes longer, and report it as failed. Default: 600.")
    private Optional<String> timeout = Optional.empty();

    @Option(
            names = "--gc-log",
            description = "Make JVMs log garbage collections (through JAVA_TOOL_OPTIONS), and report the total pause"
                    + " time.")
    private boolean gcLog;

    @Option(
            names = "--metric",
            paramLabel = "NAME=REGEX",
            description = {
                "Also compare a number that the command prints: the first group of the expression, on the last matching"
                        + " line. The unit is seconds; NAME[UNIT]=REGEX gives another unit, and with NAME[UNIT,higher]=REGEX"
                        + " higher is better. May be repeated; each metric gets a verdict, and --until-decided uses the"
                        + " first."
            })
    private List<String> metrics = new ArrayList<>();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "Seed of the random order of the runs, to repeat that of another comparison; default: a new one.")
    private Optional<Long> seed = Optional.empty();

    /** Whether the user names an order. */
    boolean hasSeed() {
        return seed.isPresent();
    }

    /** Usage errors, before anything runs. */
    public void check(boolean job) {
        seconds("--cool-down", coolDown, false);
        seconds("--timeout", timeout, true);
        hooks.check();
        if (job && !metrics.isEmpty()) {
            throw CommandException.usage("--metric is for commands; the job has its own metrics");
        }
        requireDistinctNames();
        if (dropCaches && RunPreparation.cannotDropCaches().isPresent()) {
            throw CommandException.usage(
                    "--drop-caches: " + RunPreparation.cannotDropCaches().get() + " or leave it out");
        }
    }

    /** The experiment under these conditions. */
    public Experiment applyTo(Experiment experiment) {
        Experiment changed = experiment.withConditions(Conditions.PLAIN
                .withCoolDown(seconds("--cool-down", coolDown, false).orElse(Duration.ZERO))
                .withDropCaches(dropCaches)
                .withUsageRecorder(NativeLibrary.launcher())
                .withGcLog(gcLog)
                .withHooks(hooks.hooks()));
        changed = seed.isPresent() ? changed.withSeed(seed.get()) : changed;
        Optional<Duration> limit = seconds("--timeout", timeout, true);
        changed = limit.isPresent() ? changed.withTimeout(limit.get()) : changed;
        return metrics.isEmpty() ? changed : changed.withMetrics(metrics());
    }

    /** Number of metrics to read from the output. */
    public int metricCount() {
        return metrics.size();
    }

    private List<Metric> metrics() {
        return metrics.stream().map(MetricOption::parse).toList();
    }

    private void requireDistinctNames() {
        Set<String> names = new HashSet<>();
        for (Metric metric : metrics()) {
            if (!names.add(metric.name())) {
                throw CommandException.usage("--metric " + metric.name() + ": two metrics have this name");
            }
        }
    }

    public static Optional<Duration> seconds(String option, Optional<String> text, boolean positive) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        double seconds = -1;
        try {
            seconds = Double.parseDouble(text.get());
        } catch (NumberFormatException notANumber) {
            // Reported below like any other wrong number.
        }
        if (!(seconds < 1e6) || seconds < 0 || (positive && seconds < 0.001)) {
            throw CommandException.usage(option + " " + text.get() + ": give a number of seconds, such as 10");
        }
        return Optional.of(Duration.ofMillis(Math.round(seconds * 1000)));
    }
}
