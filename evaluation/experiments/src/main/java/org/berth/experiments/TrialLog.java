package org.berth.experiments;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.berth.observation.MigrationCount;
import org.berth.topology.Topology;

/**
 * The raw numbers as JSON lines: first the experiment and its arms, then each trial as soon as it has ended, so that
 * nothing is lost when the rest never comes.
 */
final class TrialLog implements AutoCloseable {
    /** Of docs/background/trials.md; raised when a field changes its meaning or goes away. */
    static final int SCHEMA = 2;

    private final BufferedWriter writer;

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

    void write(Experiment experiment, Schedule schedule, Map<String, String> identity) throws IOException {
        write(new JsonObject()
                .with("kind", "experiment")
                .with("schema", SCHEMA)
                .with("name", experiment.name())
                .with("started", now())
                .with("rounds", experiment.rounds())
                .with("balanced", schedule.balanced())
                .with("samplingMillis", experiment.samplingInterval().toNanos() / 1e6)
                .with("identity", identity));
        for (Arm arm : experiment.arms()) {
            JsonObject line = new JsonObject()
                    .with("kind", "arm")
                    .with("arm", arm.name())
                    .with("command", arm.command())
                    .with("environment", new TreeMap<>(arm.environment()));
            arm.kernel().ifPresent(kernel -> line.with("kernelSetting", kernel.setting() + "=" + kernel.value()));
            write(line);
        }
    }

    void writeResumed(Experiment experiment) throws IOException {
        write(new JsonObject().with("kind", "resumed").with("started", now()).with("rounds", experiment.rounds()));
    }

    /** What must be the same for two runs to be of one experiment: of a reader's words to the values. */
    static Map<String, String> describe(Experiment experiment, Topology topology, Optional<StoppingRule> rule) {
        Conditions conditions = experiment.conditions();
        Map<String, String> identity = new LinkedHashMap<>();
        identity.put("kernel", System.getProperty("os.version", "unknown"));
        identity.put("architecture", System.getProperty("os.arch", "unknown"));
        identity.put("CPUs", topology.allowedCpuSet().toString());
        identity.put("JVM", System.getProperty("java.vm.version", "unknown"));
        identity.put("Java home", System.getProperty("java.home", "unknown"));
        // Looks that were not planned would find differences that are none.
        identity.put("until decided", rule.map(StoppingRule::plan).orElse("no"));
        identity.put("warm-up", Boolean.toString(experiment.warmUp()));
        identity.put("time limit", experiment.timeout().toSeconds() + " s");
        identity.put("threads", experiment.threads().name());
        identity.put("printed numbers", experiment.metrics().toString());
        identity.put("cool-down", conditions.coolDown().toMillis() + " ms");
        identity.put("caches dropped", Boolean.toString(conditions.dropCaches()));
        identity.put("accounted", Boolean.toString(conditions.meter().isPresent()));
        identity.put("collector's log", Boolean.toString(conditions.gcLog()));
        identity.put(
                "arms",
                String.join(", ", experiment.arms().stream().map(Arm::name).toList()));
        for (Arm arm : experiment.arms()) {
            identity.put(
                    "command of " + arm.name(),
                    String.join(" ", arm.command()) + " " + new TreeMap<>(arm.environment()));
        }
        return identity;
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    void write(Trial trial) throws IOException {
        Observed observed = trial.observed();
        MigrationCount migrations = observed.migrations();
        JsonObject line = new JsonObject()
                .with("kind", "trial")
                .with("number", trial.turn().number())
                .with("round", trial.turn().round())
                .with("arm", trial.arm())
                .with("warmUp", trial.turn().warmUp())
                .with("outcome", trial.outcome().name());
        JsonObject metrics = new JsonObject();
        new TreeMap<>(trial.metrics()).forEach(metrics::with);
        if (trial.exitCode().isPresent()) {
            line.with("exitCode", trial.exitCode().getAsInt());
        } else {
            line.withNull("exitCode");
        }
        line.with("wallSeconds", trial.wallSeconds())
                .with("metrics", metrics)
                .with("othersShare", trial.othersShare())
                .with("samples", observed.samples())
                .with("processes", observed.processes())
                .with("mostThreads", observed.mostThreads());
        seen(line, "", migrations);
        seen(line, "OfWorkers", observed.workerMigrations());
        kernelCount(line, "kernelBetweenCpus", migrations);
        kernelCount(line, "kernelBetweenCpusOfWorkers", observed.workerMigrations());
        measured(line, trial.measured());
        write(line.with("residencyAtHome", observed.residency().atHome())
                .with("residencyCounted", observed.residency().counted())
                .with("samplingSeconds", observed.cost().toNanos() / 1e9)
                .with("log", String.valueOf(trial.log().getFileName()))
                .with("notes", trial.notes()));
    }

    private static void measured(JsonObject line, Measured measured) {
        if (measured.usage().isPresent()) {
            Usage usage = measured.usage().get();
            JsonObject counters = new JsonObject();
            usage.counters().forEach(counters::with);
            line.with(
                    "usage",
                    new JsonObject()
                            .with("userSeconds", usage.userSeconds())
                            .with("systemSeconds", usage.systemSeconds())
                            .with("peakRssBytes", usage.peakRssBytes())
                            .with("minorFaults", usage.minorFaults())
                            .with("majorFaults", usage.majorFaults())
                            .with("voluntarySwitches", usage.voluntarySwitches())
                            .with("involuntarySwitches", usage.involuntarySwitches())
                            .with("counters", counters)
                            .with("missing", usage.missing()));
        } else {
            line.withNull("usage");
        }
        if (measured.treePeakRssBytes().isPresent()) {
            line.with("treePeakRssBytes", measured.treePeakRssBytes().getAsLong());
        } else {
            line.withNull("treePeakRssBytes");
        }
        line.with("remoteShare", measured.remoteShare().orElse(Double.NaN))
                .with("gcPauseSeconds", measured.gcPauseSeconds().orElse(Double.NaN));
        JsonObject nodes = new JsonObject();
        measured.nodeBytes().forEach((node, bytes) -> nodes.with(node.toString(), bytes));
        line.with("nodeBytes", nodes);
    }

    private static void seen(JsonObject line, String ofWhom, MigrationCount migrations) {
        line.with("seenBetweenCpus" + ofWhom, migrations.seenBetweenCpus())
                .with("seenBetweenCores" + ofWhom, migrations.seenBetweenCores())
                .with("seenBetweenCaches" + ofWhom, migrations.seenBetweenCaches())
                .with("seenBetweenPackages" + ofWhom, migrations.seenBetweenPackages())
                .with("seenBetweenNodes" + ofWhom, migrations.seenBetweenNodes());
    }

    private static void kernelCount(JsonObject line, String name, MigrationCount migrations) {
        if (migrations.kernelBetweenCpus().isPresent()) {
            line.with(name, migrations.kernelBetweenCpus().getAsLong());
        } else {
            line.withNull(name);
        }
    }

    private void write(JsonObject line) throws IOException {
        writer.write(line.toString());
        writer.write('\n');
        writer.flush();
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
