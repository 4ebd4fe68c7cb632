package org.berth.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.berth.experiments.Simulation.Noise;
import org.berth.experiments.Verdict.Kind;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final int EXPERIMENTS = 1000;
    private static final int ARMS = 3;

    private static Kind kind(double low, double high) {
        Ratio ratio = new Ratio(
                Math.sqrt(low * high),
                Optional.of(new Ratio.Interval(low, high)),
                OptionalDouble.of(0.1),
                low,
                high,
                6);
        return Verdict.of(Optional.of(ratio), Verdict.MARGIN).kind();
    }

    @Test
    void kinds() {
        assertThat(kind(0.9, 0.99)).isEqualTo(Kind.FASTER);
        assertThat(kind(1.001, 1.2)).isEqualTo(Kind.SLOWER);
        assertThat(kind(1.001, 1.002)).isEqualTo(Kind.SLOWER);
        assertThat(kind(0.99, 1.01)).isEqualTo(Kind.EQUIVALENT);
        assertThat(kind(0.97, 1.01)).isEqualTo(Kind.NO_DIFFERENCE_FOUND);
        assertThat(kind(0.99, 1.03)).isEqualTo(Kind.NO_DIFFERENCE_FOUND);
        assertThat(Verdict.of(Optional.empty(), Verdict.MARGIN).kind()).isEqualTo(Kind.NOTHING_TO_COMPARE);
        Verdict few = Verdict.of(Optional.of(Ratio.of(new double[] {0.5, 0.6}, 0.05)), Verdict.MARGIN);
        assertThat(few.kind()).isEqualTo(Kind.TOO_FEW_PAIRS);
        assertThat(few.estimate().orElseThrow()).isCloseTo(Math.exp(Math.log(0.5 * 0.6) / 2), within(1e-12));
        assertThat(few.detectable()).isEmpty();
    }

    /** The same work in four arms: at most 5 of 100 comparisons may call any arm different. */
    @Test
    void equalArmsAreCalledDifferentNoMoreOftenThanStated() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        for (Noise noise : Noise.usual()) {
            for (int pairs : new int[] {6, 8, 12}) {
                Simulation simulation = new Simulation(seed, noise, 0.03);
                int wrong = 0;
                for (int i = 0; i < EXPERIMENTS; i++) {
                    wrong += verdicts(simulation, pairs, 1, 1, 1).stream()
                                    .anyMatch(verdict -> SequentialRun.isDifferent(verdict.kind()))
                            ? 1
                            : 0;
                }
                assertThat((double) wrong / EXPERIMENTS)
                        .as("%s, %d pairs, seed %d", noise, pairs, seed)
                        .isLessThanOrEqualTo(0.05 + Simulation.tolerance(0.05, EXPERIMENTS));
            }
        }
    }

    /** The power that docs/background/statistics.md states: three arms, noise of 3 % in each run, 5 % slower. */
    @Test
    void aPlantedSlowDownIsFoundAsOftenAsStated() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        double[][] stated = {{8, 0.51}, {12, 0.83}, {20, 0.985}};
        for (double[] one : stated) {
            Simulation simulation = new Simulation(seed, Noise.NORMAL, 0.03);
            int found = 0;
            for (int i = 0; i < EXPERIMENTS; i++) {
                Kind kind =
                        verdicts(simulation, (int) one[0], 1.05, 1, 1).get(0).kind();
                assertThat(kind).isNotEqualTo(Kind.NOTHING_TO_COMPARE);
                found += kind == Kind.SLOWER ? 1 : 0;
            }
            assertThat((double) found / EXPERIMENTS)
                    .as("%.0f pairs, seed %d", one[0], seed)
                    .isCloseTo(one[1], within(0.01 + Simulation.tolerance(one[1], EXPERIMENTS)));
        }
    }

    /** A self-check has two arms: at most 5 of 100 find a difference, and what it would find is found as stated. */
    @Test
    void selfChecksComeOutEqualAndPlantedSlowDownsDoNot() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Map<Noise, Double> found = Map.of(
                Noise.NORMAL, 0.92,
                Noise.OUTLIERS, 0.50,
                Noise.HEAVY_TAILS, 0.96,
                Noise.SKEWED, 0.93,
                Noise.DRIFT, 0.89,
                Noise.RANDOM_WALK, 0.88);
        for (Noise noise : Noise.usual()) {
            for (int pairs : new int[] {6, 12, 20}) {
                double wrong = called(new Simulation(seed, noise, 0.03), pairs, 1);
                assertThat(wrong)
                        .as("%s, %d pairs, seed %d", noise, pairs, seed)
                        .isLessThanOrEqualTo(0.05 + Simulation.tolerance(0.05, EXPERIMENTS));
            }
            double stated = found.getOrDefault(noise, 1.0);
            assertThat(called(new Simulation(seed, noise, 0.03), 12, 1.05))
                    .as("5 %% found, %s, seed %d", noise, seed)
                    .isCloseTo(stated, within(0.01 + Simulation.tolerance(stated, EXPERIMENTS)));
        }
    }

    private static double called(Simulation simulation, int pairs, double truth) {
        int different = 0;
        for (int i = 0; i < EXPERIMENTS; i++) {
            Ratio ratio = Ratio.of(simulation.experiment(pairs, truth).get(0), 0.05);
            Kind kind = Verdict.of(Optional.of(ratio), Verdict.MARGIN).kind();
            different += SequentialRun.isDifferent(kind) ? 1 : 0;
        }
        return (double) different / EXPERIMENTS;
    }

    /** What is announced before the first run is what the runs then find. */
    @Test
    void theAnnouncedDifferenceIsFoundInFourOfFive() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        assertThat(Verdict.detectable(0.03, 4, 0.05)).isEmpty();
        for (int pairs : new int[] {6, 12, 20}) {
            double planted = 1 + Verdict.detectable(0.03, pairs, 0.05 / ARMS).orElseThrow();
            Simulation simulation = new Simulation(seed, Noise.NORMAL, 0.03);
            int found = 0;
            for (int i = 0; i < EXPERIMENTS; i++) {
                found += verdicts(simulation, pairs, planted, 1, 1).get(0).kind() == Kind.SLOWER ? 1 : 0;
            }
            assertThat((double) found / EXPERIMENTS)
                    .as("%d pairs, %.3f, seed %d", pairs, planted, seed)
                    .isCloseTo(0.8, within(0.06 + Simulation.tolerance(0.8, EXPERIMENTS)));
        }
    }

    /** What "could have been seen" means: planted, it is found in 80 of 100 experiments. */
    @Test
    void theDetectableDifferenceIsFoundInFourOfFive() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        for (int pairs : new int[] {6, 12, 20}) {
            Simulation simulation = new Simulation(seed, Noise.NORMAL, 0.03);
            double[] detectable = new double[EXPERIMENTS];
            for (int i = 0; i < EXPERIMENTS; i++) {
                detectable[i] =
                        verdicts(simulation, pairs, 1, 1, 1).get(0).detectable().orElseThrow();
            }
            double planted =
                    1 + Spread.of(Arrays.stream(detectable)).orElseThrow().median();
            int found = 0;
            for (int i = 0; i < EXPERIMENTS; i++) {
                found += verdicts(simulation, pairs, planted, 1, 1).get(0).kind() == Kind.SLOWER ? 1 : 0;
            }
            assertThat((double) found / EXPERIMENTS)
                    .as("%d pairs, %.3f, seed %d", pairs, planted, seed)
                    .isCloseTo(0.8, within(0.05 + Simulation.tolerance(0.8, EXPERIMENTS)));
        }
    }

    private static List<Verdict> verdicts(Simulation simulation, int pairs, double... truths) {
        return simulation.experiment(pairs, truths).stream()
                .map(one -> Verdict.of(Optional.of(Ratio.of(one, 0.05 / ARMS)), Verdict.MARGIN))
                .toList();
    }
}
