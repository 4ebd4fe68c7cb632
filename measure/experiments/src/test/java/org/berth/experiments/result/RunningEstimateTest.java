package org.berth.experiments.result;

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
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.experiments.ResourceUsage;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.statistics.Ratio;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.MigrationCount;
import org.junit.jupiter.api.Test;

/** What is shown after a round is what the verdict would rest on if this were the last one. */
final class RunningEstimateTest {
    private static final int ROUNDS = 12;
    private static final Experiment EXPERIMENT = Experiment.of(
                    "test", List.of(Arm.of("none", "true"), Arm.of("core", "true"), Arm.of("pu", "true")))
            .withRounds(ROUNDS);
    private static final Metric METRIC = new Metric("took", "s", Pattern.compile("took ([0-9.]+)"));

    private static final MigrationCount NONE = new MigrationCount(0, 0, 0, 0, 0, OptionalLong.empty());

    private static List<Trial> trials(int rounds, boolean printing) {
        Random random = new Random(3);
        List<Trial> trials = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            for (int arm = 0; arm < 3; arm++) {
                double seconds = (10 - arm) * (1 + 0.03 * random.nextGaussian());
                trials.add(new Trial(
                        new ScheduledRun(trials.size() + 1, round, arm),
                        EXPERIMENT.arms().get(arm).name(),
                        Trial.Outcome.COMPLETED,
                        OptionalInt.of(0),
                        Duration.ofMillis(Math.round(1000 * seconds)),
                        printing ? Map.of("took", seconds / 2) : Map.of(),
                        new SamplingSummary(1, 1, 1, NONE, NONE, new ResidencyShare(0, 0), Duration.ZERO),
                        ResourceUsage.NOTHING,
                        0,
                        Path.of("log"),
                        List.of()));
            }
        }
        return trials;
    }

    @Test
    void afterTheLastRoundItIsThatOfTheVerdict() {
        List<RunningEstimate> shown = RunningEstimate.of(EXPERIMENT, trials(ROUNDS, false), Optional.empty());
        List<ArmSummary> arms = Summary.of(EXPERIMENT, trials(ROUNDS, false)).arms();
        assertThat(shown).extracting(RunningEstimate::arm).containsExactly("core", "pu");
        assertThat(shown.get(0).ratio()).isEqualTo(arms.get(1).wallRatio().orElseThrow());
        assertThat(shown.get(1).ratio()).isEqualTo(arms.get(2).wallRatio().orElseThrow());
        assertThat(shown).noneMatch(RunningEstimate::byMetric);
    }

    @Test
    void theIntervalBeginsWithFivePairsAndTheRatioWithOne() {
        assertThat(RunningEstimate.of(EXPERIMENT, trials(0, false), Optional.empty()))
                .isEmpty();
        for (int rounds = 1; rounds < ROUNDS; rounds++) {
            int pairs = rounds;
            assertThat(RunningEstimate.of(EXPERIMENT, trials(rounds, false), Optional.empty()))
                    .hasSize(2)
                    .allSatisfy(one ->
                            assertThat(one.ratio().interval().isPresent()).isEqualTo(pairs >= Ratio.MIN_PAIRS));
        }
    }

    @Test
    void theFirstNumberThatTheWorkPrintsIsShownOnceItIsPrinted() {
        Experiment measured = EXPERIMENT.withMetric(METRIC);
        assertThat(RunningEstimate.of(measured, trials(6, true), Optional.empty()))
                .allMatch(RunningEstimate::byMetric);
        assertThat(RunningEstimate.of(measured, trials(6, false), Optional.empty()))
                .noneMatch(RunningEstimate::byMetric);
    }

    /** Who looks several times needs a wider interval at each look. */
    @Test
    void withARuleTheIntervalIsThatOfItsLastLook() {
        StoppingRule rule = StoppingRule.of(3, 6, ROUNDS, EXPERIMENT.claims());
        double fixed = width(Optional.empty());
        assertThat(width(Optional.of(rule))).isGreaterThan(fixed);
    }

    private static double width(Optional<StoppingRule> rule) {
        Ratio.Interval interval = RunningEstimate.of(EXPERIMENT, trials(ROUNDS, false), rule)
                .get(0)
                .ratio()
                .interval()
                .orElseThrow();
        return interval.high() - interval.low();
    }
}
