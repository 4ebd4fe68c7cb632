package org.berth.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class RatioTest {
    @Test
    void medianMinMaxAndSpreadByHand() {
        assertThat(Spread.of(DoubleStream.of(4, 1, 10))).hasValueSatisfying(spread -> {
            assertThat(spread).isEqualTo(new Spread(3, 4, 1, 10));
            assertThat(spread.relative()).isEqualTo(9.0 / 4);
        });
        assertThat(Spread.of(DoubleStream.of(4, 1, 10, 5))).hasValue(new Spread(4, 4.5, 1, 10));
        assertThat(Spread.of(DoubleStream.of(0, 0)).orElseThrow().relative()).isZero();
        assertThat(Spread.of(DoubleStream.empty())).isEmpty();
    }

    @Test
    void estimateIsTheMedianOfTheQuotients() {
        Ratio ratio = Ratio.of(new double[] {1.3, 0.5, 0.9});
        assertThat(ratio.estimate()).isEqualTo(0.9);
        assertThat(ratio.min()).isEqualTo(0.5);
        assertThat(ratio.max()).isEqualTo(1.3);
        assertThat(ratio.pairs()).isEqualTo(3);
    }

    @Test
    void fewPairsGiveNoInterval() {
        assertThat(Ratio.of(new double[] {1, 2, 3, 4}).interval()).isEmpty();
        assertThat(Ratio.of(new double[] {1, 2, 3, 4, 5}).interval()).isPresent();
    }

    /**
     * The median of five draws from five different numbers is the smallest when at least three draws are: with
     * probability 0.058 (binomial, 5 draws of 1/5), so it lies beyond the 2.5 % point. The same holds at the other end.
     */
    @Test
    void intervalOfFivePairsByHand() {
        assertThat(Ratio.of(new double[] {1, 2, 3, 4, 5}).interval()).hasValue(new Ratio.Interval(1, 5));
    }

    @Test
    void equalQuotientsLeaveNoDoubt() {
        Ratio ratio = Ratio.of(new double[] {0.8, 0.8, 0.8, 0.8, 0.8, 0.8});
        assertThat(ratio.interval()).hasValueSatisfying(interval -> {
            assertThat(interval).isEqualTo(new Ratio.Interval(0.8, 0.8));
            assertThat(interval.excludesOne()).isTrue();
        });
    }

    @Test
    void sameRunsGiveTheSameInterval() {
        double[] quotients = {1.01, 0.97, 1.05, 0.93, 1.02, 0.99};
        assertThat(Ratio.of(quotients)).isEqualTo(Ratio.of(quotients));
        assertThat(Ratio.of(quotients).interval().orElseThrow().excludesOne()).isFalse();
    }

    /** The promise of the interval, held against experiments whose truth is known. */
    @Test
    void intervalCoversTheTruthAboutAsOftenAsItSays() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int experiments = 300;
        for (int pairs : new int[] {5, 6, 10}) {
            int covered = 0;
            for (int i = 0; i < experiments; i++) {
                Ratio.Interval interval =
                        Ratio.of(quotients(random, pairs, 0.9)).interval().orElseThrow();
                covered += interval.low() <= 0.9 && 0.9 <= interval.high() ? 1 : 0;
            }
            // 0.93 expected; four standard deviations of 300 draws are 0.06.
            assertThat((double) covered / experiments)
                    .as("%d pairs, seed %d", pairs, seed)
                    .isCloseTo(0.93, within(0.065));
        }
    }

    /** Two arms with noise of 5 % each; a tenth of all runs is disturbed and takes half as long again. */
    private static double[] quotients(Random random, int pairs, double truth) {
        return DoubleStream.generate(() -> truth * seconds(random) / seconds(random))
                .limit(pairs)
                .toArray();
    }

    private static double seconds(Random random) {
        return Math.exp(0.05 * random.nextGaussian()) * (random.nextInt(10) == 0 ? 1.5 : 1);
    }
}
