package org.berth.experiments.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.berth.experiments.Simulation;
import org.berth.experiments.Simulation.Noise;
import org.junit.jupiter.api.Test;

class RatioTest {
    private static final int EXPERIMENTS = 1000;

    @Test
    void medianMinMaxAndSpreadByHand() {
        assertThat(Spread.of(DoubleStream.of(4, 1, 10))).hasValueSatisfying(spread -> {
            assertThat(spread.count()).isEqualTo(3);
            assertThat(spread.median()).isEqualTo(4);
            assertThat(spread.min()).isEqualTo(1);
            assertThat(spread.max()).isEqualTo(10);
            assertThat(spread.range()).isEqualTo(9);
            assertThat(spread.relative()).isEqualTo(9.0 / 4);
            // Mean 5, squares 1 + 16 + 25 = 42, so the variance is 21.
            assertThat(spread.variation().orElseThrow()).isCloseTo(Math.sqrt(21) / 5, within(1e-12));
        });
        assertThat(Spread.of(DoubleStream.of(4, 1, 10, 5)).orElseThrow().median())
                .isEqualTo(4.5);
        assertThat(Spread.of(DoubleStream.of(0, 0)).orElseThrow().relative()).isZero();
        assertThat(Spread.of(DoubleStream.of(0, 0)).orElseThrow().variation()).isEmpty();
        assertThat(Spread.of(DoubleStream.of(3)).orElseThrow().variation()).isEmpty();
        assertThat(Spread.of(DoubleStream.empty())).isEmpty();
    }

    @Test
    void stabilityBesideTheBaseline() {
        Spread wide = Spread.of(DoubleStream.of(9, 11)).orElseThrow();
        Spread narrow = Spread.of(DoubleStream.of(19, 21)).orElseThrow();
        Spread none = Spread.of(DoubleStream.of(5, 5)).orElseThrow();
        assertThat(narrow.variationRatio(wide).orElseThrow()).isCloseTo(0.5, within(1e-12));
        assertThat(wide.variationRatio(none)).isEmpty();
        assertThat(none.variationRatio(wide)).hasValue(0);
    }

    /** Logarithms 0, 1, 5: their averages are 0, 0.5, 1, 2.5, 3, 5. */
    @Test
    void estimateByHand() {
        Ratio ratio = Ratio.of(new double[] {Math.exp(5), 1, Math.E}, 0.05);
        assertThat(ratio.estimate()).isCloseTo(Math.exp(1.75), within(1e-9));
        assertThat(ratio.min()).isEqualTo(1);
        assertThat(ratio.max()).isEqualTo(Math.exp(5));
        assertThat(ratio.pairs()).isEqualTo(3);
    }

    @Test
    void fewPairsGiveNoInterval() {
        assertThat(Ratio.of(new double[] {1, 2, 3, 4}, 0.05).interval()).isEmpty();
        assertThat(Ratio.of(new double[] {1, 2, 3, 4}, 0.05).detectable()).isEmpty();
        assertThat(Ratio.of(new double[] {1, 2, 3, 4, 5}, 0.05).interval()).isPresent();
        assertThat(Ratio.of(new double[] {1, 2, 3, 4, 5}, 0.05, 6).interval()).isEmpty();
    }

    /**
     * Logarithms -2 to 2: mean 0, standard error sqrt(2.5 / 5), t of 4 degrees 2.7764. The shift:
     * 2.7764 * 15 / 16 + 0.8416 * sqrt(1 + 2.7764^2 / 8) = 3.782 of standard
     * errors that are taken for 1 / (17 / 18)^1.5 as large.
     */
    @Test
    void intervalOfFivePairsByHand() {
        double[] quotients = DoubleStream.of(-2, -1, 0, 1, 2).map(Math::exp).toArray();
        Ratio ratio = Ratio.of(quotients, 0.05);
        assertThat(Math.log(ratio.interval().orElseThrow().high())).isCloseTo(2.7764 * Math.sqrt(0.5), within(1e-3));
        assertThat(Math.log(ratio.interval().orElseThrow().low())).isCloseTo(-2.7764 * Math.sqrt(0.5), within(1e-3));
        assertThat(Math.log1p(ratio.detectable().orElseThrow()))
                .isCloseTo(3.782 / Math.pow(17 / 18.0, 1.5) * Math.sqrt(0.5), within(1e-3));
    }

    /** With eight numbers, rank sums up to 3 have a probability of 5 / 256 = 0.0195, up to 4 of 7 / 256. */
    @Test
    void intervalOfEightPairsByHand() {
        double[] quotients =
                DoubleStream.of(1, 2, 3, 4, 5, 6, 7, 8).map(Math::exp).toArray();
        Ratio.Interval interval = Ratio.of(quotients, 0.05).interval().orElseThrow();
        // The five smallest averages are 1, 1.5, 2, 2, 2.5; 0.025 is 6.4 / 256, at 0.7 of the way from 5 to 7.
        assertThat(Math.log(interval.low())).isCloseTo(2.35, within(1e-9));
        assertThat(Math.log(interval.high())).isCloseTo(6.65, within(1e-9));
    }

    @Test
    void equalQuotientsLeaveNoDoubt() {
        for (int pairs : new int[] {6, 10}) {
            double[] quotients = new double[pairs];
            Arrays.fill(quotients, 0.8);
            Ratio.Interval interval = Ratio.of(quotients, 0.05).interval().orElseThrow();
            assertThat(interval.low()).isCloseTo(0.8, within(1e-12));
            assertThat(interval.high()).isCloseTo(0.8, within(1e-12));
            assertThat(interval.excludesOne()).isTrue();
        }
    }

    @Test
    void sameRunsGiveTheSameInterval() {
        double[] quotients = {1.01, 0.97, 1.05, 0.93, 1.02, 0.99};
        assertThat(Ratio.of(quotients, 0.05)).isEqualTo(Ratio.of(quotients.clone(), 0.05));
    }

    /** Dividing the other way round must say the same thing the other way round. */
    @Test
    void swappedArmsSwapTheAnswer() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int pairs : new int[] {5, 7, 8, 9, 20}) {
            double[] quotients = DoubleStream.generate(() -> Math.exp(random.nextGaussian()))
                    .limit(pairs)
                    .toArray();
            double[] swapped = Arrays.stream(quotients).map(one -> 1 / one).toArray();
            Ratio one = Ratio.of(quotients, 0.02);
            Ratio other = Ratio.of(swapped, 0.02);
            assertThat(one.estimate() * other.estimate()).as("seed %d", seed).isCloseTo(1, within(1e-9));
            assertThat(one.interval().orElseThrow().low()
                            * other.interval().orElseThrow().high())
                    .as("seed %d", seed)
                    .isCloseTo(1, within(1e-9));
            assertThat(one.interval().orElseThrow().low()).isLessThanOrEqualTo(one.estimate());
            assertThat(one.interval().orElseThrow().high()).isGreaterThanOrEqualTo(one.estimate());
        }
    }

    /**
     * The same experiments with one pair more each time; by whole ranks, 9 pairs found less than 8 with seven other
     * arms.
     */
    @Test
    void aPairMoreNeverFindsLess() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        for (int arms : new int[] {1, 3, 7}) {
            Simulation simulation = new Simulation(seed, Noise.NORMAL, 0.03);
            int[] found = new int[16];
            for (int i = 0; i < EXPERIMENTS; i++) {
                double[] quotients = simulation.experiment(15, 1.05).get(0);
                for (int pairs = 5; pairs <= 15; pairs++) {
                    Ratio ratio = Ratio.of(Arrays.copyOf(quotients, pairs), 0.05 / arms);
                    found[pairs] += ratio.interval().orElseThrow().excludesOne() ? 1 : 0;
                }
            }
            for (int pairs = 6; pairs <= 15; pairs++) {
                // Five standard deviations of a difference of two shares of the same experiments, of which few change.
                assertThat(found[pairs])
                        .as("%d arms, %d pairs, seed %d", arms, pairs, seed)
                        .isGreaterThan(found[pairs - 1] - 5 * (int) Math.sqrt(EXPERIMENTS / 5.0));
            }
        }
    }

    /** The promise of the interval, held against experiments whose truth is known. */
    @Test
    void intervalCoversTheTruthAsOftenAsItSays() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        for (Noise noise : Noise.usual()) {
            Simulation simulation = new Simulation(seed, noise, 0.03);
            for (int pairs : new int[] {5, 6, 8, 12, 30}) {
                int covered = 0;
                for (int i = 0; i < EXPERIMENTS; i++) {
                    Ratio.Interval interval = Ratio.of(
                                    simulation.experiment(pairs, 0.9).get(0), 0.05)
                            .interval()
                            .orElseThrow();
                    covered += interval.low() <= 0.9 && 0.9 <= interval.high() ? 1 : 0;
                }
                assertThat((double) covered / EXPERIMENTS)
                        .as("%s, %d pairs, seed %d", noise, pairs, seed)
                        .isBetween(0.95 - Simulation.tolerance(0.95, EXPERIMENTS), 0.999);
            }
        }
    }
}
