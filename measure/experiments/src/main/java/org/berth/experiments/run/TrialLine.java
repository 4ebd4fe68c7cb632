package org.berth.experiments.run;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.berth.experiments.CollectorUse;
import org.berth.experiments.KernelAccounting;
import org.berth.experiments.ResourceUsage;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.Trial.Outcome;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.MigrationCount;
import org.jspecify.annotations.Nullable;

/** A {@link Trial} as a line of {@code trials.jsonl}: the components are the fields of docs/background/trials.md. */
record TrialLine(
        String kind,
        int number,
        int round,
        @JsonProperty(required = true) String arm,
        boolean warmUp,
        @JsonProperty(required = true) Outcome outcome,
        @Nullable Integer exitCode,
        double wallSeconds,
        @JsonProperty(required = true) Map<String, Double> metrics,
        @Nullable Map<String, Double> steps,
        @Nullable Double othersShare,
        int samples,
        int processes,
        int mostThreads,
        @JsonUnwrapped Migrations migrations,
        @JsonUnwrapped(suffix = "OfWorkers") Migrations workerMigrations,
        @Nullable KernelAccounting usage,
        @Nullable Long treePeakRssBytes,
        @Nullable Double remoteShare,
        @Nullable Double gcPauseSeconds,
        @Nullable Map<Integer, Long> nodeBytes,
        @Nullable Double heapHugeShare,
        @Nullable CollectorUse collector,
        @JsonAlias("residencyAtHome") long residencyInSlot,
        long residencyCounted,
        double samplingSeconds,
        @JsonProperty(required = true) String log,
        @JsonProperty(required = true) List<String> notes) {
    static final String KIND = "trial";

    /** A {@link MigrationCount}; the kernel's count is null where the kernel does not tell. */
    record Migrations(
            long seenBetweenCpus,
            long seenBetweenCores,
            long seenBetweenCaches,
            long seenBetweenPackages,
            long seenBetweenNodes,
            @Nullable Long kernelBetweenCpus) {
        static Migrations of(MigrationCount count) {
            return new Migrations(
                    count.seenBetweenCpus(),
                    count.seenBetweenCores(),
                    count.seenBetweenCaches(),
                    count.seenBetweenPackages(),
                    count.seenBetweenNodes(),
                    count.kernelBetweenCpus().isPresent()
                            ? (Long) count.kernelBetweenCpus().getAsLong()
                            : null);
        }

        MigrationCount count() {
            return new MigrationCount(
                    seenBetweenCpus,
                    seenBetweenCores,
                    seenBetweenCaches,
                    seenBetweenPackages,
                    seenBetweenNodes,
                    kernelBetweenCpus == null ? OptionalLong.empty() : OptionalLong.of(kernelBetweenCpus));
        }
    }

    static TrialLine of(Trial trial) {
        SamplingSummary sampling = trial.sampling();
        ResourceUsage resources = trial.resources();
        return new TrialLine(
                KIND,
                trial.run().number(),
                trial.run().round(),
                trial.arm(),
                trial.run().warmUp(),
                trial.outcome(),
                trial.exitCode().isPresent() ? (Integer) trial.exitCode().getAsInt() : null,
                trial.wallSeconds(),
                new TreeMap<>(trial.metrics()),
                new TreeMap<>(trial.steps()),
                Double.isNaN(trial.othersShare()) ? null : (Double) trial.othersShare(),
                sampling.samples(),
                sampling.processes(),
                sampling.mostThreads(),
                Migrations.of(sampling.migrations()),
                Migrations.of(sampling.workerMigrations()),
                resources.accounting().orElse(null),
                resources.treePeakRssBytes().isPresent()
                        ? (Long) resources.treePeakRssBytes().getAsLong()
                        : null,
                orNull(resources.remoteShare()),
                orNull(resources.gcPauseSeconds()),
                resources.nodeBytes(),
                orNull(resources.heapHugeShare()),
                resources.collector().orElse(null),
                sampling.residency().inside(),
                sampling.residency().counted(),
                sampling.cost().toNanos() / 1e9,
                String.valueOf(trial.log().getFileName()),
                trial.notes());
    }

    /** @param directory of the log */
    Trial trial(ScheduledRun run, Path directory) {
        return new Trial(
                run,
                arm,
                outcome,
                exitCode == null ? OptionalInt.empty() : OptionalInt.of(exitCode),
                ofSeconds(wallSeconds),
                metrics,
                steps == null ? Map.of() : steps,
                new SamplingSummary(
                        samples,
                        processes,
                        mostThreads,
                        migrations.count(),
                        workerMigrations.count(),
                        new ResidencyShare(residencyInSlot, residencyCounted),
                        ofSeconds(samplingSeconds)),
                new ResourceUsage(
                        Optional.ofNullable(usage),
                        orEmpty(remoteShare),
                        treePeakRssBytes == null ? OptionalLong.empty() : OptionalLong.of(treePeakRssBytes),
                        orEmpty(gcPauseSeconds),
                        nodeBytes == null ? Map.of() : nodeBytes,
                        orEmpty(heapHugeShare),
                        Optional.ofNullable(collector)),
                othersShare == null ? Double.NaN : othersShare,
                directory.resolve(log),
                notes);
    }

    private static @Nullable Double orNull(OptionalDouble number) {
        return number.isPresent() ? (Double) number.getAsDouble() : null;
    }

    private static OptionalDouble orEmpty(@Nullable Double number) {
        return number == null ? OptionalDouble.empty() : OptionalDouble.of(number);
    }

    private static Duration ofSeconds(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }
}
