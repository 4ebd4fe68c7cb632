package org.berth.experiments.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.berth.experiments.Arm;
import org.berth.experiments.Conditions;
import org.berth.experiments.Experiment;
import org.berth.experiments.Trial;
import org.berth.experiments.result.StoppingRule;
import org.berth.experiments.trial.JsonLines;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The raw numbers as JSON lines: first the experiment and its arms, then each trial as soon as it has ended, so that
 * nothing is lost when the rest never comes.
 */
final class TrialLog implements AutoCloseable {
    /** The version in docs/background/trials.md; raised when a field changes its meaning or goes away. */
    static final int SCHEMA = 4;

    /** The oldest schema that {@link TrialLine} can read. */
    static final int OLDEST_SCHEMA = 2;

    private final BufferedWriter writer;
    private boolean failed;

    private TrialLog(BufferedWriter writer) {
        this.writer = writer;
    }

    /** Replaces an older file. */
    static TrialLog create(Path file) throws IOException {
        return new TrialLog(Files.newBufferedWriter(file));
    }

    /** Adds to a file; what a crash cut off at its end stays, as a line of its own. */
    static TrialLog append(Path file) throws IOException {
        byte[] before = Files.readAllBytes(file);
        BufferedWriter writer = Files.newBufferedWriter(file, StandardOpenOption.APPEND);
        if (before.length > 0 && before[before.length - 1] != '\n') {
            writer.write('\n');
        }
        return new TrialLog(writer);
    }

    /** The first line. */
    record ExperimentLine(
            String kind,
            int schema,
            String name,
            String started,
            int rounds,
            @Nullable Long seed,
            double samplingMillis,
            @JsonProperty(required = true) Map<String, String> identity) {}

    private record ArmLine(
            String kind,
            String arm,
            List<String> command,
            Map<String, String> environment,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String kernelSetting) {}

    private record ResumedLine(String kind, String started, int rounds) {}

    void write(Experiment experiment, Map<String, String> identity) throws IOException {
        write(new ExperimentLine(
                "experiment",
                SCHEMA,
                experiment.name(),
                now(),
                experiment.rounds(),
                experiment.seed(),
                experiment.samplingInterval().toNanos() / 1e6,
                identity));
        for (Arm arm : experiment.arms()) {
            write(new ArmLine(
                    "arm",
                    arm.name(),
                    arm.command(),
                    new TreeMap<>(arm.environment()),
                    arm.kernel().isEmpty() ? null : settings(arm)));
        }
    }

    private static String settings(Arm arm) {
        return String.join(
                ", ",
                arm.kernel().stream()
                        .map(one -> one.setting() + "=" + one.value())
                        .toList());
    }

    void writeResumed(Experiment experiment) throws IOException {
        write(new ResumedLine("resumed", now(), experiment.rounds()));
    }

    /** What must be the same for two runs to be of one experiment: of a reader's words to the values. */
    static Map<String, String> describe(Experiment experiment, Topology topology, Optional<StoppingRule> rule)
            throws IOException {
        Conditions conditions = experiment.conditions();
        Map<String, String> identity = new LinkedHashMap<>();
        identity.put("kernel", System.getProperty("os.version", "unknown"));
        identity.put("architecture", System.getProperty("os.arch", "unknown"));
        identity.put("CPUs", topology.allowedCpuSet().toString());
        identity.put("JVM", System.getProperty("java.vm.version", "unknown"));
        identity.put("Java home", System.getProperty("java.home", "unknown"));
        // Rounds that are added after a look at the others, looks that were not planned, and a margin that suits the
        // result inflate the rate of false positives.
        identity.put("rounds", Integer.toString(experiment.rounds()));
        identity.put("until decided", rule.map(StoppingRule::plan).orElse("no"));
        identity.put("margin", Double.toString(experiment.claims().margin()));
        if (experiment.claims().family() > 1) {
            identity.put(
                    "comparisons that share 5 %",
                    Integer.toString(experiment.claims().family()));
        }
        identity.put("warm-ups", Integer.toString(experiment.warmUps()));
        identity.put("time limit", experiment.timeout().toSeconds() + " s");
        identity.put("threads", experiment.threads().name());
        identity.put("printed numbers", experiment.metrics().toString());
        identity.put("cool-down", conditions.coolDown().toMillis() + " ms");
        identity.put("caches dropped", Boolean.toString(conditions.dropCaches()));
        identity.put("prepare", conditions.hooks().prepare().orElse(""));
        identity.put("cleanup", conditions.hooks().cleanup().orElse(""));
        identity.put("accounted", Boolean.toString(conditions.usageRecorder().isPresent()));
        identity.put("collector's log", Boolean.toString(conditions.gcLog()));
        identity.put(
                "arms",
                String.join(", ", experiment.arms().stream().map(Arm::name).toList()));
        String settings = KernelConditions.usual(experiment);
        if (!settings.isEmpty()) {
            identity.put("settings of the kernel", settings);
        }
        for (Arm arm : experiment.arms()) {
            identity.put(
                    "command of " + arm.name(),
                    String.join(" ", arm.command()) + " " + new TreeMap<>(arm.environment())
                            + (arm.kernel().isEmpty() ? "" : " " + settings(arm)));
        }
        return identity;
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    void write(Trial trial) throws IOException {
        write(TrialLine.of(trial));
    }

    private void write(Record line) throws IOException {
        failed = true;
        writer.write(JsonLines.write(line));
        writer.write('\n');
        writer.flush();
        failed = false;
    }

    @Override
    public void close() throws IOException {
        try {
            writer.close();
        } catch (IOException again) {
            // The writer tries once more to write what it could not.
            if (!failed) {
                throw again;
            }
        }
    }
}
