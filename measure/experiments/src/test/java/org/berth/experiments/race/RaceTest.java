package org.berth.experiments.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.berth.experiments.Simulation;
import org.berth.experiments.Simulation.Noise;
import org.berth.experiments.Verdict;
import org.berth.experiments.race.Race.Outcome;
import org.berth.experiments.race.Race.Standing;
import org.berth.experiments.race.RacePlan.Heat;
import org.berth.experiments.result.StoppingRule;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class RaceTest {
    private static final int RACES = 400;

    private static Outcome outcome(double... quotients) {
        return new Outcome(Arrays.stream(quotients).boxed().toList(), false);
    }

    @Test
    void eachHeatHalvesAndLooksTwiceAsClosely() {
        assertThat(RacePlan.of(7, 4))
                .isEqualTo(new RacePlan(List.of(new Heat(7, 2), new Heat(4, 4), new Heat(2, 8)), 16));
        assertThat(RacePlan.of(7, 4).runs()).isEqualTo(8 * 2 + 5 * 4 + 3 * 8 + 2 * 16);
        assertThat(RacePlan.of(1, 4).heats()).isEmpty();
        assertThat(RacePlan.of(2, 1)).isEqualTo(new RacePlan(List.of(new Heat(2, 2)), 6));
        assertThatThrownBy(() -> RacePlan.of(0, 4)).hasMessageContaining("0 and 4");
        assertThatThrownBy(() -> RacePlan.of(2, 16)).hasMessageContaining("2 and 16");
        for (int candidates = 1; candidates <= 40; candidates++) {
            for (int scale = 1; scale <= RacePlan.MOST_SCALE; scale++) {
                List<Heat> heats = RacePlan.of(candidates, scale).heats();
                assertThat(heats).allMatch(heat -> heat.pairs() % 2 == 0 && heat.pairs() > 0);
                assertThat(
                                heats.isEmpty()
                                        ? candidates
                                        : heats.get(heats.size() - 1).staying())
                        .as("%d candidates, scale %d", candidates, scale)
                        .isEqualTo(1);
            }
        }
    }

    /** What is left is announced by these. */
    @Test
    void theRunsToComeAreThoseOfThePlan() {
        RacePlan plan = RacePlan.of(7, 4);
        List<String> names = List.of("a", "b", "c", "d", "e", "f", "g");
        assertThat(plan.toCome(0, "none", names)).hasSize(plan.runs());
        List<String> afterTwo = plan.toCome(2, "none", List.of("b", "d", "a", "c"));
        assertThat(afterTwo).hasSize(3 * 8 + 2 * 16).doesNotContain("a", "c");
        assertThat(afterTwo).filteredOn("b"::equals).hasSize(8 + 16);
        assertThat(plan.toCome(3, "none", List.of("d", "b"))).hasSize(2 * 16).containsOnly("none", "d");
    }

    @Test
    void theMostThoroughPlanWithinABudgetIsTaken() {
        assertThat(RacePlan.within(7, RacePlan.of(7, 4).runs())).contains(RacePlan.of(7, 4));
        assertThat(RacePlan.within(7, RacePlan.of(7, 4).runs() - 1)).contains(RacePlan.of(7, 3));
        assertThat(RacePlan.within(7, RacePlan.of(7, 1).runs() - 1)).isEmpty();
        RaceBudget time = new RaceBudget(OptionalInt.empty(), Optional.of(Duration.ofSeconds(200)));
        // 100 runs of 2 s, of which the warm-up has had 8.
        assertThat(time.plan(7, 8, 2)).contains(RacePlan.of(7, 4));
        assertThat(time.plan(7, 9, 2)).contains(RacePlan.of(7, 3));
        assertThat(time.plan(7, 8, 50)).isEmpty();
        assertThat(new RaceBudget(OptionalInt.of(60), Optional.of(Duration.ofHours(1))).plan(7, 8, 2))
                .isEqualTo(RacePlan.within(7, 52));
        assertThat(new RaceBudget(OptionalInt.empty(), Optional.empty()).plan(7, 8, 2))
                .contains(RacePlan.of(7, RacePlan.USUAL_SCALE));
    }

    @Test
    void theWorseHalfLeavesAndAllPairsCount() {
        Race race = Race.start(RacePlan.of(4, 2), 4);
        assertThat(race.leader()).isEmpty();
        assertThat(race.winner()).isEmpty();
        race = race.after(List.of(outcome(1.1, 1.1), outcome(0.8, 0.8), outcome(1.0, 1.0), outcome(0.9, 0.9)));
        assertThat(race.running()).extracting(Standing::candidate).containsExactly(1, 3);
        assertThat(race.leader()).hasValue(1);
        assertThat(race.winner()).as("before the end").isEmpty();
        assertThat(race.standings().get(0).leftAfter()).hasValue(1);
        assertThat(race.pairs()).isEqualTo(4);
        Race stopped = race.partly(List.of(outcome(0.7), outcome()));
        assertThat(stopped.winner()).as("in the middle of the last heat").isEmpty();
        assertThat(stopped.standings().get(1).quotients()).containsExactly(0.8, 0.8, 0.7);
        assertThat(stopped.running()).hasSize(2);
        // By these alone 3 would win; with those before it does not.
        race = race.after(List.of(outcome(0.90, 0.90, 0.90), outcome(0.89, 0.89, 0.89)));
        assertThat(race.over()).isTrue();
        assertThat(race.winner()).hasValue(1);
        assertThat(race.standings().get(1).quotients()).containsExactly(0.8, 0.8, 0.9, 0.9, 0.9);
        Race over = race;
        assertThatThrownBy(() -> over.after(List.of(outcome(1)))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whoFailsLeavesHoweverFastItWas() {
        Race race = Race.start(RacePlan.of(3, 1), 3)
                .after(List.of(new Outcome(List.of(0.1), true), outcome(1.2, 1.2), outcome()));
        assertThat(race.running()).extracting(Standing::candidate).containsExactly(1);
        assertThat(race.standings().get(0).failed()).isTrue();
        assertThat(race.standings().get(2).leftAfter()).hasValue(1);
        race = race.after(List.of(outcome(1.2, 1.2)));
        assertThat(race.winner()).hasValue(1);
        Race none = Race.start(RacePlan.of(2, 1), 2).after(List.of(outcome(), outcome()));
        assertThat(none.over()).isTrue();
        assertThat(none.winner()).isEmpty();
        assertThat(Race.start(RacePlan.of(1, 1), 1).winner())
                .as("no race, no heat")
                .hasValue(0);
    }

    /** Without noise the best one wins, wherever it stands. */
    @Test
    void theBestWinsWithoutNoise() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            int candidates = 1 + random.nextInt(20);
            RacePlan plan = RacePlan.of(candidates, 1 + random.nextInt(5));
            double[] truths = random.doubles(candidates, 0.5, 1.5).toArray();
            SimulatedRace race =
                    SimulatedRace.run(new Simulation(seed, Noise.NORMAL, 0.0001), plan, plan.confirmation(), truths);
            assertThat(truths[race.winner()])
                    .as("seed %d, %s", seed, Arrays.toString(truths))
                    .isLessThan(Arrays.stream(truths).min().orElseThrow() + 0.001);
        }
    }

    /** Docs: where nothing helps, something is said to help in at most 2.5 of 100 races, whatever the noise. */
    @Test
    void equalCandidatesAreSaidToHelpNoMoreOftenThanStated() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        RacePlan plan = RacePlan.of(7, RacePlan.USUAL_SCALE);
        StoppingRule rule = plan.confirmation();
        double[] truths = new double[7];
        Arrays.fill(truths, 1);
        for (Noise noise : Noise.usual()) {
            Simulation simulation = new Simulation(seed, noise, 0.03);
            int wrong = 0;
            for (int i = 0; i < RACES; i++) {
                wrong += SimulatedRace.run(simulation, plan, rule, truths).helps() ? 1 : 0;
            }
            assertThat((double) wrong / RACES)
                    .as("%s, seed %d", noise, seed)
                    .isLessThanOrEqualTo(0.025 + Simulation.tolerance(0.025, RACES));
        }
    }

    /** What the fresh runs are for: believing the runs of the race would go wrong far more often. */
    @Test
    void theRunsOfTheRaceFlatterItsWinner() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        int races = 1500;
        RacePlan plan = RacePlan.of(15, RacePlan.USUAL_SCALE);
        StoppingRule rule = plan.confirmation();
        double[] truths = new double[15];
        Arrays.fill(truths, 1);
        Simulation simulation = new Simulation(seed, Noise.NORMAL, 0.03);
        int biased = 0;
        for (int i = 0; i < races; i++) {
            SimulatedRace race = SimulatedRace.run(simulation, plan, rule, truths);
            biased += race.biased() == Verdict.Kind.FASTER ? 1 : 0;
        }
        assertThat((double) biased / races)
                .as("seed %d", seed)
                .isGreaterThan(0.025 + Simulation.tolerance(0.025, races));
    }

    /** Docs: 5 % are found among runs that vary by 3 %, and the candidate that has them stays to the end. */
    @Test
    void aCandidateThatHelpsIsFoundAsOftenAsStated() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        RacePlan plan = RacePlan.of(7, RacePlan.USUAL_SCALE);
        StoppingRule rule = plan.confirmation();
        Simulation simulation = new Simulation(seed, Noise.NORMAL, 0.03);
        int won = 0;
        int found = 0;
        for (int i = 0; i < RACES; i++) {
            SimulatedRace race = SimulatedRace.run(simulation, plan, rule, 1, 1, 1, 1, 0.95, 1, 1);
            won += race.winner() == 4 ? 1 : 0;
            found += race.winner() == 4 && race.helps() ? 1 : 0;
        }
        assertThat((double) won / RACES).as("seed %d", seed).isGreaterThan(0.98 - Simulation.tolerance(0.98, RACES));
        assertThat((double) found / RACES).as("seed %d", seed).isGreaterThan(0.93 - Simulation.tolerance(0.93, RACES));
    }
}
