package org.berth.experiments;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.TreeMap;
import org.berth.observation.MigrationCount;

/**
 * The raw numbers as JSON lines: first the experiment and its arms, then each trial as soon as it has ended, so that
 * nothing is lost when the rest never comes.
 */
final class TrialLog implements AutoCloseable {
    private final BufferedWriter writer;

    private TrialLog(BufferedWriter writer) {
        this.writer = writer;
    }

    /** Replaces an older file. */
    static TrialLog create(Path file) throws IOException {
        return new TrialLog(Files.newBufferedWriter(file));
    }

    void write(Experiment experiment, Schedule schedule) throws IOException {
        write(new JsonObject()
                .with("kind", "experiment")
                .with("name", experiment.name())
                .with("started", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
                .with("rounds", experiment.rounds())
                .with("balanced", schedule.balanced())
                .with("timeoutSeconds", experiment.timeout().toNanos() / 1e9)
                .with("samplingMillis", experiment.samplingInterval().toNanos() / 1e6)
                .with("threads", experiment.threads().name())
                .with("kernel", System.getProperty("os.version", "unknown"))
                .with("architecture", System.getProperty("os.arch", "unknown"))
                .with("java", System.getProperty("java.vm.version", "unknown")));
        for (Arm arm : experiment.arms()) {
            write(new JsonObject()
                    .with("kind", "arm")
                    .with("arm", arm.name())
                    .with("command", arm.command())
                    .with("environment", new TreeMap<>(arm.environment())));
        }
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
        if (trial.exitCode().isPresent()) {
            line.with("exitCode", trial.exitCode().getAsInt());
        } else {
            line.withNull("exitCode");
        }
        line.with("wallSeconds", trial.wallSeconds())
                .with("metric", trial.metric().orElse(Double.NaN))
                .with("othersShare", trial.othersShare())
                .with("samples", observed.samples())
                .with("processes", observed.processes())
                .with("mostThreads", observed.mostThreads())
                .with("seenBetweenCpus", migrations.seenBetweenCpus())
                .with("seenBetweenCores", migrations.seenBetweenCores())
                .with("seenBetweenPackages", migrations.seenBetweenPackages())
                .with("seenBetweenNodes", migrations.seenBetweenNodes())
                .with("seenBetweenCpusOfWorkers", observed.workerMigrations().seenBetweenCpus())
                .with("seenBetweenNodesOfWorkers", observed.workerMigrations().seenBetweenNodes());
        kernelCount(line, "kernelBetweenCpus", migrations);
        kernelCount(line, "kernelBetweenCpusOfWorkers", observed.workerMigrations());
        write(line.with("residencyAtHome", observed.residency().atHome())
                .with("residencyCounted", observed.residency().counted())
                .with("samplingSeconds", observed.cost().toNanos() / 1e9)
                .with("log", String.valueOf(trial.log().getFileName()))
                .with("notes", trial.notes()));
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
