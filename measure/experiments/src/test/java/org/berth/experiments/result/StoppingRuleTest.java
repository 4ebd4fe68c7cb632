package org.berth.experiments.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.berth.experiments.Arm;
import org.berth.experiments.Claims;
import org.berth.experiments.Experiment;
import org.berth.experiments.ResourceUsage;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.SequentialRun;
import org.berth.experiments.Simulation;
import org.berth.experiments.Simulation.Noise;
import org.berth.experiments.Trial;
import org.berth.experiments.Trial.Outcome;
import org.berth.experiments.Verdict;
import org.berth.experiments.Verdict.Kind;
import org.berth.experiments.result.StoppingRule.Decision;
import org.berth.experiments.statistics.Ratio;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.MigrationCount;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class StoppingRuleTest {
    private static final int MIN = 6;
    private static final int MAX = 30;
    private static final Experiment EXPERIMENT =
            Experiment.of("test", List.of(Arm.of("none", "true"), Arm.of("core", "true"), Arm.of("pu", "true")));

    private final List<Trial> trials = new ArrayList<>();

    @Test
    void onlyRulesThatCanDecideAreMade() {
        assertThatThrownBy(() -> StoppingRule.of(1, 6, 30, Claims.USUAL)).hasMessageContaining("two arms");
        assertThatThrownBy(() -> StoppingRule.of(2, 4, 30, Claims.USUAL)).hasMessageContaining("at least 5");
        assertThatThrownBy(() -> StoppingRule.of(2, 8, 6, Claims.USUAL)).hasMessageContaining("8 and 6");
        assertThatThrownBy(() -> new Claims(0, 1)).hasMessageContaining("margin");
        StoppingRule rule = StoppingRule.of(2, 6, 30, Claims.USUAL);
        assertThatThrownBy(() -> rule.decide(EXPERIMENT, trials)).hasMessageContaining("2 arms, not 3");
    }

    @Test
    void stopsWhenEveryArmIsDecidedAndNotBefore() {
        StoppingRule rule = StoppingRule.of(3, MIN, MAX, Claims.USUAL);
        for (int round = 1; round <= 6; round++) {
            trial("none", round, Outcome.COMPLETED, 10);
            trial("core", round, Outcome.COMPLETED, 9 + 0.001 * round);
            assertThat(rule.decide(EXPERIMENT, trials).stop())
                    .as("round %d is not complete", round)
                    .isFalse();
            trial("pu", round, Outcome.COMPLETED, 10 + 0.001 * (round % 2 == 0 ? round : -round));
            Decision decision = rule.decide(EXPERIMENT, trials);
            assertThat(decision.stop()).as("after round %d", round).isEqualTo(round == 6);
            assertThat(decision.verdicts()).hasSize(round == 6 ? 2 : 0);
        }
        assertThat(rule.decide(EXPERIMENT, trials).verdicts())
                .extracting(Verdict::kind)
                .containsExactly(Kind.FASTER, Kind.EQUIVALENT);
        assertThat(rule.decide(EXPERIMENT, trials).reason()).isEqualTo("every arm is decided after 6 rounds");
        assertThat(rule.summary(EXPERIMENT, trials).verdicts())
                .isEqualTo(rule.decide(EXPERIMENT, trials).verdicts());
    }

    @Test
    void anArmThatVariesKeepsItGoingUntilTheMostRounds() {
        StoppingRule rule = StoppingRule.of(3, MIN, 10, Claims.USUAL);
        Decision last = rule.decide(EXPERIMENT, trials);
        for (int round = 1; round <= 10; round++) {
            assertThat(last.stop()).isFalse();
            trial("none", round, Outcome.COMPLETED, 10);
            if (!last.left().contains(0)) {
                trial("core", round, Outcome.COMPLETED, 9 + 0.001 * round);
            }
            trial("pu", round, Outcome.COMPLETED, round % 2 == 0 ? 12 : 8.5);
            last = rule.decide(EXPERIMENT, trials);
            assertThat(last.left()).as("round %d", round).isEqualTo(round < 6 ? Set.of() : Set.of(0));
        }
        assertThat(trials)
                .as("the decided arm has left")
                .filteredOn(one -> one.arm().equals("core"))
                .hasSize(6);
        assertThat(last.stop()).isTrue();
        assertThat(last.reason()).isEqualTo("reached the maximum of 10 rounds; 1 of 2 arms decided");
        assertThat(last.verdicts()).extracting(Verdict::kind).containsExactly(Kind.FASTER, Kind.NO_DIFFERENCE_FOUND);
        assertThat(rule.summary(EXPERIMENT, trials).verdicts()).isEqualTo(last.verdicts());
    }

    /** A user who ends it by hand when it looks good gets what the last planned look said. */
    @Test
    void stoppedByHandItHasTheVerdictsOfItsLastLook() {
        StoppingRule rule = StoppingRule.of(3, MIN, MAX, Claims.USUAL);
        for (int round = 1; round <= 11; round++) {
            trial("none", round, Outcome.COMPLETED, 10);
            trial("core", round, Outcome.COMPLETED, round <= 6 ? 8.5 + 0.5 * round : 5);
            trial("pu", round, Outcome.COMPLETED, round % 2 == 0 ? 12 : 8.5);
            Summary summary = rule.summary(EXPERIMENT, trials);
            if (round < 6) {
                assertThat(summary.verdicts().get(0).kind()).isEqualTo(round < 5 ? Kind.TOO_FEW_PAIRS : Kind.NOT_ENDED);
            } else {
                assertThat(summary.verdicts().get(0).pairs()).isEqualTo(6);
                assertThat(summary.arms().get(1).completed()).isEqualTo(round);
            }
        }
    }

    @Test
    void anArmThatAlwaysFailsIsNotWaitedFor() {
        StoppingRule rule = StoppingRule.of(3, MIN, MAX, Claims.USUAL);
        for (int round = 1; round <= 6; round++) {
            trial("none", round, Outcome.COMPLETED, 10);
            trial("core", round, Outcome.COMPLETED, 9 + 0.001 * round);
            trial("pu", round, Outcome.FAILED, 1);
        }
        Decision decision = rule.decide(EXPERIMENT, trials);
        assertThat(decision.stop()).isTrue();
        assertThat(decision.verdicts().get(1).kind()).isEqualTo(Kind.NOTHING_TO_COMPARE);
    }

    /** Under no difference the chance of ever calling one must stay at 5 %, for all interim looks together. */
    @Test
    void anEqualArmIsEverCalledDifferentInFivePercent() {
        assertErrorRate(1, 400);
    }

    /** And for all arms together. */
    @Test
    void oneOfThreeEqualArmsIsEverCalledDifferentInFivePercent() {
        assertErrorRate(3, 200);
    }

    private static void assertErrorRate(int arms, int experiments) {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        StoppingRule rule = StoppingRule.of(arms + 1, MIN, MAX, Claims.USUAL);
        for (Noise noise : Noise.usual()) {
            Simulation simulation = new Simulation(seed, noise, 0.03);
            int wrong = 0;
            for (int i = 0; i < experiments; i++) {
                SequentialRun run = SequentialRun.of(rule, simulation.experiment(MAX, ones(arms)), MIN);
                wrong += run.everCalledDifferent(0) ? 1 : 0;
            }
            assertThat((double) wrong / experiments)
                    .as("%s, seed %d", noise, seed)
                    .isLessThanOrEqualTo(0.05 + Simulation.tolerance(0.05, experiments));
        }
    }

    /** The power that docs/background/statistics.md states, with noise of 3 % in each run. */
    @Test
    void aPlantedSlowDownIsFound() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        int experiments = 200;
        StoppingRule rule = StoppingRule.of(2, MIN, MAX, Claims.USUAL);
        for (Noise noise : Noise.usual()) {
            Simulation simulation = new Simulation(seed, noise, 0.03);
            int found = 0;
            for (int i = 0; i < experiments; i++) {
                SequentialRun run = SequentialRun.of(rule, simulation.experiment(MAX, 1.05), MIN);
                found += run.kind(0) == Kind.SLOWER ? 1 : 0;
            }
            double stated = noise == Noise.OUTLIERS ? 0.75 : 0.98;
            assertThat((double) found / experiments)
                    .as("%s, seed %d", noise, seed)
                    .isGreaterThanOrEqualTo(stated - Simulation.tolerance(stated, experiments));
        }
    }

    /** Runs that differ by 1.5 % are enough to call equal arms the same. */
    @Test
    void equalArmsAreCalledTheSameWithinTwoPercent() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        int experiments = 200;
        StoppingRule rule = StoppingRule.of(2, MIN, MAX, Claims.USUAL);
        Simulation simulation = new Simulation(seed, Noise.NORMAL, 0.015);
        int same = 0;
        for (int i = 0; i < experiments; i++) {
            SequentialRun run = SequentialRun.of(rule, simulation.experiment(MAX, 1), MIN);
            same += run.kind(0) == Kind.EQUIVALENT ? 1 : 0;
        }
        assertThat((double) same / experiments)
                .as("seed %d", seed)
                .isGreaterThanOrEqualTo(0.9 - Simulation.tolerance(0.9, experiments));
    }

    private static double[] ones(int arms) {
        double[] truths = new double[arms];
        Arrays.fill(truths, 1);
        return truths;
    }

    /** The simulation must be able to find fault: an interval of 95 % looked at after every round is far above. */
    @Test
    void lookingAtPlainIntervalsWouldBeFoundOut() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        int experiments = 300;
        Simulation simulation = new Simulation(seed, Noise.NORMAL, 0.03);
        int wrong = 0;
        for (int i = 0; i < experiments; i++) {
            double[] quotients = simulation.experiment(MAX, 1).get(0);
            boolean ever = false;
            for (int rounds = MIN; rounds <= MAX && !ever; rounds++) {
                ever = Ratio.of(Arrays.copyOf(quotients, rounds), 0.05)
                        .interval()
                        .orElseThrow()
                        .excludesOne();
            }
            wrong += ever ? 1 : 0;
        }
        assertThat((double) wrong / experiments)
                .as("seed %d", seed)
                .isGreaterThan(0.05 + Simulation.tolerance(0.05, experiments));
    }

    private void trial(String arm, int round, Outcome outcome, double seconds) {
        MigrationCount none = new MigrationCount(0, 0, 0, 0, 0, OptionalLong.empty());
        trials.add(new Trial(
                new ScheduledRun(trials.size() + 1, round, 0),
                arm,
                outcome,
                OptionalInt.of(0),
                Duration.ofNanos((long) (seconds * 1e9)),
                Map.of(),
                new SamplingSummary(1, 1, 1, none, none, new ResidencyShare(0, 0), Duration.ZERO),
                ResourceUsage.NOTHING,
                0,
                Path.of("log"),
                List.of()));
    }
}
