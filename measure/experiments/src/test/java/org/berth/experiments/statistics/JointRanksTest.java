package org.berth.experiments.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Numbers of which it is known how much they have to do with each other. */
@Tag("one-jdk")
class JointRanksTest {
    private static final int NUMBERS = 17;
    private static final int PAIRS = 12;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    /** @param common the share of their variance that all numbers have together */
    private List<double[]> numbers(double common, double shift) {
        double[] shared =
                random.doubles(PAIRS, 0, 1).map(any -> random.nextGaussian()).toArray();
        List<double[]> numbers = new ArrayList<>();
        for (int i = 0; i < NUMBERS; i++) {
            double[] one = new double[PAIRS];
            for (int round = 0; round < PAIRS; round++) {
                one[round] = (i == 0 ? shift : 0)
                        + Math.sqrt(common) * shared[round]
                        + Math.sqrt(1 - common) * random.nextGaussian();
            }
            numbers.add(one);
        }
        return numbers;
    }

    private static boolean differs(double[] numbers, double error) {
        double[] ends = Ratio.ends(numbers, error);
        return ends[0] > 0 || ends[1] < 0;
    }

    @Test
    void theSameNumberUnderManyNamesCostsNothing() {
        double[] one = numbers(0, 0).get(0);
        List<double[]> many = new ArrayList<>();
        for (int i = 0; i < NUMBERS; i++) {
            many.add(one.clone());
        }
        // The largest error that ranks of twelve pairs can have below 5 % (Hollander and Wolfe, table A.4: 2 * 0.0212).
        assertThat(JointRanks.errorOfEach(many, 0.05)).isCloseTo(0.0425, within(0.001));
        assertThat(JointRanks.errorOfEach(List.of(one), 0.05)).isEqualTo(0.05);
    }

    @Test
    void fewPairsAndSmallErrorsLeaveBonferronisShare() {
        List<double[]> few =
                numbers(0.9, 0).stream().map(one -> Arrays.copyOf(one, 6)).toList();
        assertThat(JointRanks.errorOfEach(few, 0.05)).isEqualTo(0.05 / NUMBERS);
        assertThat(JointRanks.errorOfEach(numbers(0.9, 0), 1e-5)).isEqualTo(1e-5 / NUMBERS);
    }

    @Test
    void aNumberThatSomeRoundsLackCountsWithTheOthers() {
        List<double[]> numbers = numbers(0.9, 0);
        Arrays.fill(numbers.get(3), Double.NaN);
        numbers.get(4)[5] = Double.NaN;
        numbers.get(5)[5] = numbers.get(5)[6];
        assertThat(JointRanks.errorOfEach(numbers, 0.05)).isBetween(0.05 / NUMBERS, 0.05);
    }

    /** However much the numbers have to do with each other, any equal one is called different in at most 5 of 100. */
    @Test
    void theErrorOfAllIsKept() {
        for (double common : new double[] {0, 0.7, 0.95}) {
            int experiments = 200;
            int wrong = 0;
            for (int i = 0; i < experiments; i++) {
                List<double[]> numbers = numbers(common, 0);
                double error = JointRanks.errorOfEach(numbers, 0.05);
                wrong += numbers.stream().anyMatch(one -> differs(one, error)) ? 1 : 0;
            }
            double share = (double) wrong / experiments;
            assertThat(share)
                    .as("%s, seed %d", common, seed)
                    .isLessThanOrEqualTo(0.05 + 5 * Math.sqrt(0.05 * 0.95 / experiments));
        }
    }

    /** Numbers that go up and down together find far more than by Bonferroni's share. */
    @Test
    void moreIsFound() {
        int joint = 0;
        int bonferroni = 0;
        for (int i = 0; i < 200; i++) {
            List<double[]> numbers = numbers(0.95, 1.2);
            joint += differs(numbers.get(0), JointRanks.errorOfEach(numbers, 0.05)) ? 1 : 0;
            bonferroni += differs(numbers.get(0), 0.05 / NUMBERS) ? 1 : 0;
        }
        assertThat(joint).as("seed %d", seed).isGreaterThan(bonferroni + 20);
    }
}
