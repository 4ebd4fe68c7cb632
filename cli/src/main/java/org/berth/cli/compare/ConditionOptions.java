package org.berth.cli.compare;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.binding.NativeLibrary;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Conditions;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.experiments.RunPreparation;
import picocli.CommandLine.Option;

/** What happens around each run of {@code compare}, and what is measured. */
public final class ConditionOptions {
    @Option(
            names = "--cool-down",
            paramLabel = "SECONDS",
            description = "Pause before each run but the first; default none.")
    private Optional<String> coolDown = Optional.empty();

    @Option(names = "--drop-caches", description = "Make the kernel forget cached files before each run (root only).")
    private boolean dropCaches;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "End a run that takes longer; it is shown as failed. Default 600.")
    private Optional<String> timeout = Optional.empty();

    @Option(
            names = "--gc-log",
            description = "Let JVMs log their collector (by JAVA_TOOL_OPTIONS) and sum up its pauses.")
    private boolean gcLog;

    @Option(
            names = "--metric",
            paramLabel = "NAME=REGEX",
            description = {
                "Also compare a number that the command prints: the first group of the expression, on the last line where"
                        + " it is found. It is in seconds; NAME[UNIT]=REGEX gives another unit, and NAME[UNIT,higher]=REGEX says"
                        + " that more is better. May be repeated; the verdict is about each of them, and --until-decided asks"
                        + " the first."
            })
    private List<String> metrics = new ArrayList<>();

    /** Wrong usage, before anything is done. */
    public void check(boolean job) {
        seconds("--cool-down", coolDown, false);
        seconds("--timeout", timeout, true);
        if (job && !metrics.isEmpty()) {
            throw CommandException.usage("--metric is for commands; the job has its own");
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
                .withGcLog(gcLog));
        Optional<Duration> limit = seconds("--timeout", timeout, true);
        changed = limit.isPresent() ? changed.withTimeout(limit.get()) : changed;
        return metrics.isEmpty() ? changed : changed.withMetrics(metrics());
    }

    /** How many numbers are to be read from the output. */
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
            // Reported below as any other wrong number.
        }
        if (!(seconds < 1e6) || seconds < 0 || (positive && seconds < 0.001)) {
            throw CommandException.usage(option + " " + text.get() + ": give a number of seconds, such as 10");
        }
        return Optional.of(Duration.ofMillis(Math.round(seconds * 1000)));
    }
}
