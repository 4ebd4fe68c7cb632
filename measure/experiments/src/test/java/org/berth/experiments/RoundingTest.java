package org.berth.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.regex.Pattern;
import org.berth.experiments.Trial.Outcome;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.Summary;
import org.berth.experiments.statistics.Ratio;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.MigrationCount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers that are printed coarsely claim no more than their last digit. */
class RoundingTest {
    private static final int EXPERIMENTS = 200;
    private static final Metric METRIC = new Metric("job", "s", Pattern.compile("(.*)"));
    private static final SamplingSummary NOTHING = new SamplingSummary(
            0,
            0,
            0,
            new MigrationCount(0, 0, 0, 0, 0, OptionalLong.empty()),
            new MigrationCount(0, 0, 0, 0, 0, OptionalLong.empty()),
            new ResidencyShare(0, 0),
            Duration.ZERO);

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    private static Trial trial(String arm, int round, double value, double step) {
        return new Trial(
                new ScheduledRun(1, round, 0),
                arm,
                Outcome.COMPLETED,
                OptionalInt.of(0),
                Duration.ofSeconds(100),
                Map.of("job", Math.rint(value / step) * step),
                Map.of("job", step),
                NOTHING,
                ResourceUsage.NOTHING,
                0,
                Path.of("log"),
                List.of());
    }

    private ArmSummary experiment(int rounds, double base, double deviation, double truth, double step) {
        List<Trial> trials = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            trials.add(trial("none", round, base * Math.exp(deviation * random.nextGaussian()), step));
            trials.add(trial("core", round, base * truth * Math.exp(deviation * random.nextGaussian()), step));
        }
        Experiment experiment = Experiment.of("test", List.of(Arm.of("none", "true"), Arm.of("core", "true")))
                .withMetrics(List.of(METRIC));
        return Summary.of(experiment, trials).arms().get(1);
    }

    /** Before, arms that differ by 3 % were "equivalent within 2 %" in 92 to 100 of 100, with an interval of width 0. */
    @ParameterizedTest
    @CsvSource({
        "12,0.005,1.03,1",
        "12,0.005,1.05,1",
        "0.31,0.005,1.01,0.01",
        "0.2,0.003,1.024,0.01",
        "12,0.02,1.03,1",
        "12,0.05,1.03,1"
    })
    void theIntervalCoversTheTruth(double base, double deviation, double truth, double step) {
        for (int rounds : new int[] {6, 12, 20}) {
            int covered = 0;
            int equivalent = 0;
            for (int i = 0; i < EXPERIMENTS; i++) {
                ArmSummary arm = experiment(rounds, base, deviation, truth, step);
                Ratio.Interval interval =
                        arm.metricRatio().flatMap(Ratio::interval).orElseThrow();
                assertThat(interval.high() - interval.low()).isPositive();
                covered += interval.low() <= truth && truth <= interval.high() ? 1 : 0;
                equivalent += arm.verdict(Verdict.MARGIN).kind() == Verdict.Kind.EQUIVALENT ? 1 : 0;
            }
            assertThat((double) covered / EXPERIMENTS)
                    .as("%d rounds, seed %d", rounds, seed)
                    .isGreaterThanOrEqualTo(0.95 - Simulation.tolerance(0.95, EXPERIMENTS));
            if (truth > 1 + Verdict.MARGIN) {
                assertThat((double) equivalent / EXPERIMENTS)
                        .as("%d rounds, seed %d", rounds, seed)
                        .isLessThanOrEqualTo(0.05 + Simulation.tolerance(0.05, EXPERIMENTS));
            }
        }
    }

    /** Rounding costs nothing where noise is wider than a step. */
    @Test
    void aDifferenceIsFoundAsBefore() {
        int found = 0;
        for (int i = 0; i < EXPERIMENTS; i++) {
            found += experiment(12, 0.4, 0.03, 1.05, 0.01)
                                    .verdict(Verdict.MARGIN)
                                    .kind()
                            == Verdict.Kind.SLOWER
                    ? 1
                    : 0;
        }
        assertThat((double) found / EXPERIMENTS)
                .as("seed %d", seed)
                .isGreaterThanOrEqualTo(0.85 - Simulation.tolerance(0.85, EXPERIMENTS));
    }

    @Test
    void whatCannotBeToldApartIsNotCalledEqual() {
        ArmSummary arm = experiment(12, 12, 1e-6, 1.001, 1);
        assertThat(arm.metricRatio().flatMap(Ratio::interval))
                .hasValueSatisfying(ends -> assertThat(ends.high() / ends.low()).isGreaterThan(1.15));
        assertThat(arm.verdict(Verdict.MARGIN).kind()).isEqualTo(Verdict.Kind.NO_DIFFERENCE_FOUND);
        assertThat(arm.verdict(Verdict.MARGIN).detectable().orElseThrow()).isGreaterThan(0.08);
        assertThat(Optional.of(
                        experiment(12, 12, 1e-6, 1.3, 1).verdict(Verdict.MARGIN).kind()))
                .contains(Verdict.Kind.SLOWER);
    }
}
