package org.berth.experiments.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Against printed tables, and against counting by hand. */
class DistributionTest {
    /** The usual table of Student's t, as in any textbook. */
    @Test
    void studentsTDistributionIsThatOfTables() {
        assertThat(StudentT.quantile(0.975, 1)).isCloseTo(12.706, within(5e-4));
        assertThat(StudentT.quantile(0.95, 2)).isCloseTo(2.920, within(5e-4));
        assertThat(StudentT.quantile(0.975, 4)).isCloseTo(2.776, within(5e-4));
        assertThat(StudentT.quantile(0.975, 9)).isCloseTo(2.262, within(5e-4));
        assertThat(StudentT.quantile(0.995, 30)).isCloseTo(2.750, within(5e-4));
        assertThat(StudentT.quantile(0.025, 9)).isEqualTo(-StudentT.quantile(0.975, 9));
        assertThat(StudentT.quantile(0.5, 7)).isCloseTo(0, within(1e-12));
        assertThatThrownBy(() -> StudentT.quantile(1, 5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theNormalDistributionIsThatOfTables() {
        assertThat(Normal.cumulative(0)).isEqualTo(0.5);
        assertThat(Normal.cumulative(1.959963984540054)).isCloseTo(0.975, within(1e-12));
        assertThat(Normal.cumulative(-3.090232306167813)).isCloseTo(0.001, within(1e-12));
        assertThat(Normal.cumulative(3 - 1e-9)).isCloseTo(Normal.cumulative(3 + 1e-9), within(1e-10));
    }

    /** Pocock (1977), table 1: the bound of 1 to 10 looks after groups of the same size, for 5 % together. */
    @Test
    void pococksBounds() {
        double[][] table = {{1, 1.960}, {2, 2.178}, {3, 2.289}, {4, 2.361}, {5, 2.413}, {10, 2.555}};
        for (double[] row : table) {
            for (double error : looks((int) row[0], 0.5).errors()) {
                assertThat(error)
                        .as("%.0f looks", row[0])
                        .isCloseTo(2 * (1 - Normal.cumulative(row[1])), within(error * 0.005));
            }
        }
    }

    /** Jennison and Turnbull, Group Sequential Methods, 2000, table 2.3: the bound of O'Brien and Fleming at the last look, for 5 % together. */
    @Test
    void boundsOfOBrienAndFleming() {
        double[][] table = {{1, 1.960}, {2, 1.977}, {3, 2.004}, {4, 2.024}, {5, 2.040}, {10, 2.087}};
        for (double[] row : table) {
            InterimLooks looks = looks((int) row[0], 0);
            assertThat(looks.errorOfLast())
                    .as("%.0f looks", row[0])
                    .isCloseTo(2 * (1 - Normal.cumulative(row[1])), within(looks.errorOfLast() * 0.005));
            double first = row[1] * Math.sqrt(row[0]);
            assertThat(looks.errors().get(0))
                    .isCloseTo(
                            2 * (1 - Normal.cumulative(first)),
                            within(looks.errors().get(0) * 0.02 + 1e-12));
        }
    }

    private static InterimLooks looks(int count, double shape) {
        return InterimLooks.of(0.05, IntStream.rangeClosed(1, count).boxed().toList(), shape);
    }

    @Test
    void looksAreEvenlyApart() {
        assertThat(InterimLooks.between(6, 30)).containsExactly(6, 12, 18, 24, 30);
        assertThat(InterimLooks.between(6, 16)).containsExactly(6, 9, 11, 14, 16);
        assertThat(InterimLooks.between(6, 8)).containsExactly(6, 7, 8);
        assertThat(InterimLooks.between(6, 6)).containsExactly(6);
    }

    /** The rank sum of every one of the 2^9 ways to sign nine differences, counted one by one. */
    @Test
    void intervalOfRanksByCounting() {
        // Hollander and Wolfe (1999), table 3.1: depression scores after therapy less those before.
        double[] differences = {-0.952, 0.147, -1.022, -0.430, -0.620, -0.590, -0.490, 0.080, -0.010};
        int[] ways = new int[46];
        for (int signs = 0; signs < 512; signs++) {
            int sum = 0;
            for (int rank = 1; rank <= 9; rank++) {
                sum += (signs >> (rank - 1) & 1) * rank;
            }
            ways[sum]++;
        }
        int values = 0;
        int together = 0;
        while (together + ways[values] <= 0.025 * 512) {
            together += ways[values++];
        }
        double part = (0.025 * 512 - together) / ways[values];
        double[] averages = new double[45];
        int next = 0;
        for (int i = 0; i < 9; i++) {
            for (int j = 0; j <= i; j++) {
                averages[next++] = (differences[i] + differences[j]) / 2;
            }
        }
        Arrays.sort(averages);
        SignedRanks ranks = SignedRanks.of(differences);
        assertThat(ranks.interval(0.05))
                .containsExactly(
                        new double[] {
                            averages[values - 1] + part * (averages[values] - averages[values - 1]),
                            averages[45 - values] - part * (averages[45 - values] - averages[44 - values])
                        },
                        within(1e-12));
        assertThat(ranks.estimate()).isCloseTo(-0.46, within(1e-12)); // printed there
        assertThat(SignedRanks.reaches(5, 0.05)).isFalse();
        assertThat(SignedRanks.reaches(6, 0.05)).isTrue();
    }
}
