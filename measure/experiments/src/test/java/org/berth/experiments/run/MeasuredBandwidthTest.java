package org.berth.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.ResourceUsage;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.Trial.Outcome;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.MigrationCount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders as compare writes them; the output is what the job printed on a machine. */
class MeasuredBandwidthTest {
    private static final String OUTPUT = """
            copy, GB/s                     first touch
            the JVM's CPUs (2 threads)              8.31
            triad, GB/s                    first touch
            the JVM's CPUs (2 threads)             %s
            berth-job-seconds=0.178
            """;

    @TempDir
    private Path folder;

    private int number;

    private Trial trial(String arm, Outcome outcome, String output, Map<Integer, Long> nodeBytes) throws IOException {
        int run = ++number;
        Path log = Files.writeString(folder.resolve(run + ".log"), output);
        return new Trial(
                new ScheduledRun(run, run, 0),
                arm,
                outcome,
                OptionalInt.of(0),
                Duration.ofSeconds(1),
                Map.of(),
                new SamplingSummary(
                        9, 1, 5, MigrationCount.ZERO, MigrationCount.ZERO, new ResidencyShare(0, 0), Duration.ZERO),
                new ResourceUsage(
                        Optional.empty(),
                        OptionalDouble.empty(),
                        OptionalLong.empty(),
                        OptionalDouble.empty(),
                        nodeBytes,
                        OptionalDouble.empty(),
                        Optional.empty()),
                0,
                log,
                List.of());
    }

    private void write(Trial... trials) throws IOException {
        Experiment experiment = Experiment.of("bandwidth", List.of(Arm.of("a", "true")));
        try (TrialLog log = TrialLog.create(folder.resolve("trials.jsonl"))) {
            log.write(experiment, Map.of());
            for (Trial trial : trials) {
                log.write(trial);
            }
        }
    }

    @Test
    void theMedianOfTheFastestArmOnANodeCounts() throws IOException {
        Map<Integer, Long> first = Map.of(0, 900L, 2, 100L);
        Map<Integer, Long> second = Map.of(0, 50L, 2, 950L);
        write(
                trial("near", Outcome.COMPLETED, OUTPUT.formatted("80.00"), first),
                trial("near", Outcome.COMPLETED, OUTPUT.formatted("90.00"), first),
                trial("near", Outcome.COMPLETED, OUTPUT.formatted("85.50"), first),
                trial("far", Outcome.COMPLETED, OUTPUT.formatted("60.00"), first),
                trial("cxl", Outcome.COMPLETED, OUTPUT.formatted("41"), second),
                trial("cxl", Outcome.FAILED, OUTPUT.formatted("999.00"), second),
                trial("both", Outcome.COMPLETED, OUTPUT.formatted("120.00"), Map.of(0, 500L, 2, 500L)),
                trial("other", Outcome.COMPLETED, "time 5\n", second));
        assertThat(MeasuredBandwidth.byNode(folder)).containsExactly(Map.entry(0, 85.5), Map.entry(2, 41.0));
    }

    @Test
    void otherResultsHaveNoneAndAnotherFolderIsAnError() throws IOException {
        write(
                trial("one-node", Outcome.COMPLETED, OUTPUT.formatted("80.00"), Map.of()),
                trial("x", Outcome.COMPLETED, "triad, GB/s\nno number\n", Map.of(0, 1L)));
        assertThat(MeasuredBandwidth.byNode(folder)).isEmpty();
        assertThatThrownBy(() -> MeasuredBandwidth.byNode(folder.resolve("none")))
                .isInstanceOf(IOException.class);
    }
}
