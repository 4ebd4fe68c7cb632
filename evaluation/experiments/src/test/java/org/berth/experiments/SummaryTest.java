package org.berth.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import org.berth.experiments.Trial.Outcome;
import org.berth.observation.MigrationCount;
import org.berth.observation.MigrationCount.Source;
import org.berth.observation.ResidencyShare;
import org.junit.jupiter.api.Test;

class SummaryTest {
    private static final Experiment EXPERIMENT =
            Experiment.of("test", List.of(Arm.of("none", "true"), Arm.of("core", "true")));

    private static final MigrationCount OF_WORKERS = new MigrationCount(2, 2, 1, 1, OptionalLong.of(4));

    private final List<Trial> trials = new ArrayList<>();

    @Test
    void numbersByHand() {
        trial("none", 0, Outcome.COMPLETED, 99, 999); // warm-up: must not count
        trial("none", 1, Outcome.COMPLETED, 10, 100);
        trial("none", 2, Outcome.COMPLETED, 20, 300);
        trial("core", 0, Outcome.COMPLETED, 99, 999);
        trial("core", 1, Outcome.COMPLETED, 9, 10);
        trial("core", 2, Outcome.COMPLETED, 14, 20);
        List<ArmSummary> arms = Summary.of(EXPERIMENT, trials).arms();
        assertThat(arms.get(0).wallSeconds()).hasValueSatisfying(of(2, 15, 10, 20));
        assertThat(arms.get(0).betweenCpus()).hasValueSatisfying(of(2, 200, 100, 300));
        assertThat(arms.get(0).workersBetweenCpus()).hasValueSatisfying(of(2, 4, 4, 4));
        assertThat(arms.get(0).workersBetweenNodes()).hasValueSatisfying(of(2, 1, 1, 1));
        assertThat(arms.get(0).source()).isEqualTo(Source.KERNEL);
        assertThat(arms.get(0).wallRatio()).isEmpty();
        assertThat(arms.get(1).wallRatio()).hasValueSatisfying(ratio -> {
            assertThat(ratio.estimate()).isCloseTo(Math.sqrt(0.9 * 0.7), within(1e-12));
            assertThat(ratio.pairs()).isEqualTo(2);
        });
        assertThat(arms.get(1).residency()).isEqualTo(new ResidencyShare(6, 8));
    }

    @Test
    void badRunsAreCountedAndNotCompared() {
        trial("none", 1, Outcome.COMPLETED, 10, 0);
        trial("core", 1, Outcome.FAILED, 1, 0);
        trial("none", 2, Outcome.TIMED_OUT, 100, 0);
        trial("core", 2, Outcome.COMPLETED, 5, 0);
        trial("none", 3, Outcome.COMPLETED, 10, 0);
        trial("core", 3, Outcome.COMPLETED, 5, 0);
        List<ArmSummary> arms = Summary.of(EXPERIMENT, trials).arms();
        assertThat(arms.get(0).completed()).isEqualTo(2);
        assertThat(arms.get(0).timedOut()).isEqualTo(1);
        assertThat(arms.get(1).failed()).isEqualTo(1);
        assertThat(arms.get(1).wallRatio()).hasValueSatisfying(ratio -> {
            assertThat(ratio.pairs()).isEqualTo(1);
            assertThat(ratio.estimate()).isCloseTo(0.5, within(1e-12));
        });
    }

    @Test
    void orderOfTrialsDoesNotMatter() {
        for (int round = 1; round <= 6; round++) {
            trial("none", round, Outcome.COMPLETED, 10 + round, round);
            trial("core", round, Outcome.COMPLETED, 9 + 2 * round, round);
        }
        Summary summary = Summary.of(EXPERIMENT, trials);
        Collections.reverse(trials);
        assertThat(Summary.of(EXPERIMENT, trials)).isEqualTo(summary);
    }

    @Test
    void armWithoutAnyGoodRun() {
        trial("none", 1, Outcome.FAILED, 1, 0);
        ArmSummary core = Summary.of(EXPERIMENT, trials).arms().get(1);
        assertThat(core.wallSeconds()).isEmpty();
        assertThat(core.wallRatio()).isEmpty();
        assertThat(core.betweenCpus()).isEmpty();
        assertThat(core.residency().share()).isEmpty();
    }

    @Test
    void oneRunWithoutTheKernelsCountMakesAllOfTheArmSampled() {
        trial("none", 1, Outcome.COMPLETED, 10, 100);
        trials.add(trial("none", 2, Outcome.COMPLETED, 10, new MigrationCount(7, 7, 0, 3, OptionalLong.empty())));
        ArmSummary none = Summary.of(EXPERIMENT, trials).arms().get(0);
        assertThat(none.source()).isEqualTo(Source.SAMPLES);
        assertThat(none.betweenCpus()).hasValueSatisfying(of(2, 6, 5, 7));
        assertThat(none.workersBetweenCpus()).hasValueSatisfying(of(2, 2, 2, 2));
        assertThat(none.betweenNodes()).hasValueSatisfying(of(2, 2, 1, 3));
    }

    @Test
    void intervalsHoldForAllArmsTogether() {
        Experiment three =
                Experiment.of("test", List.of(Arm.of("none", "true"), Arm.of("core", "true"), Arm.of("pu", "true")));
        double[] seconds = {9, 9.3, 8.7, 9.1, 8.9, 9.2};
        for (int round = 1; round <= 6; round++) {
            trial("none", round, Outcome.COMPLETED, 10, 0);
            trial("core", round, Outcome.COMPLETED, seconds[round - 1], 0);
            trial("pu", round, Outcome.COMPLETED, seconds[round - 1], 0);
        }
        double[] quotients = DoubleStream.of(seconds).map(one -> one / 10).toArray();
        assertThat(Summary.of(EXPERIMENT, trials)
                        .arms()
                        .get(1)
                        .wallRatio()
                        .orElseThrow()
                        .interval())
                .isEqualTo(Ratio.of(quotients, 0.05).interval());
        assertThat(Summary.of(three, trials)
                        .arms()
                        .get(1)
                        .wallRatio()
                        .orElseThrow()
                        .interval())
                .isEqualTo(Ratio.of(quotients, 0.025).interval());
        assertThat(Summary.of(three, trials).verdicts(Verdict.MARGIN))
                .extracting(Verdict::kind)
                .containsExactly(Verdict.Kind.FASTER, Verdict.Kind.FASTER);
    }

    private static Consumer<Spread> of(int count, double median, double min, double max) {
        return spread -> {
            assertThat(spread.count()).isEqualTo(count);
            assertThat(spread.median()).isEqualTo(median);
            assertThat(spread.min()).isEqualTo(min);
            assertThat(spread.max()).isEqualTo(max);
        };
    }

    /** Samples saw 5 moves, one of them between nodes, where the kernel counted what is given. */
    private void trial(String arm, int round, Outcome outcome, double seconds, long kernelMoves) {
        trials.add(trial(arm, round, outcome, seconds, new MigrationCount(5, 5, 1, 1, OptionalLong.of(kernelMoves))));
    }

    private static Trial trial(String arm, int round, Outcome outcome, double seconds, MigrationCount migrations) {
        return new Trial(
                new Turn(1, round, 0),
                arm,
                outcome,
                OptionalInt.of(0),
                Duration.ofNanos((long) (seconds * 1e9)),
                OptionalDouble.empty(),
                new Observed(10, 1, 20, migrations, OF_WORKERS, new ResidencyShare(3, 4), Duration.ofMillis(2)),
                Measured.NOTHING,
                0.5,
                Path.of("log"),
                List.of());
    }
}
