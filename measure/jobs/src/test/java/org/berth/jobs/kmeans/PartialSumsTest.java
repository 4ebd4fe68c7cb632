package org.berth.jobs.kmeans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartialSumsTest {
    @Test
    void movesEachCentreToTheMeanOfItsRows() {
        NumberTable rows = new NumberTable(new float[] {0, 0, 2, 0, 10, 10, 10, 14}, 2);
        NumberTable centres = new NumberTable(new float[] {1, 1, 9, 9}, 2);

        PartialSums sums = PartialSums.assign(rows, centres);

        assertThat(sums.centres(centres).values()).containsExactly(1, 0, 10, 12);
        assertThat(sums.cost()).isEqualTo(2 + 2 + 2 + 26);
    }

    @Test
    void keepsACentreThatHasNoRows() {
        NumberTable rows = new NumberTable(new float[] {1, 2, 3}, 1);
        NumberTable centres = new NumberTable(new float[] {2, 1000}, 1);

        assertThat(PartialSums.assign(rows, centres).centres(centres).values()).containsExactly(2, 1000);
    }

    @Test
    void givesRowsInTheMiddleToTheFirstCentre() {
        NumberTable rows = new NumberTable(new float[] {5}, 1);
        NumberTable centres = new NumberTable(new float[] {0, 10}, 1);

        assertThat(PartialSums.assign(rows, centres).centres(centres).values()).containsExactly(5, 10);
    }

    /** The unrolled distance against the definition, for widths around its step. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 9, 64})
    void costsTheSumOfSquaredDistances(int columns) {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        NumberTable rows = random(random, 20, columns);
        NumberTable centres = random(random, 3, columns);
        double expected = 0;
        for (int row = 0; row < rows.rows(); row++) {
            double least = Double.POSITIVE_INFINITY;
            for (int centre = 0; centre < centres.rows(); centre++) {
                double distance = 0;
                for (int column = 0; column < columns; column++) {
                    distance += Math.pow(rows.value(row, column) - centres.value(centre, column), 2);
                }
                least = Math.min(least, distance);
            }
            expected += least;
        }

        assertThat(PartialSums.assign(rows, centres).cost()).isCloseTo(expected, within(expected * 1e-5));
    }

    @Test
    void mergesToTheSumsOfTheWhole() {
        NumberTable first = new NumberTable(new float[] {1, 2, 3}, 1);
        NumberTable second = new NumberTable(new float[] {4, 11, 12}, 1);
        NumberTable centres = new NumberTable(new float[] {0, 10}, 1);

        PartialSums merged = PartialSums.assign(first, centres);
        merged.merge(PartialSums.assign(second, centres));

        assertThat(merged.centres(centres).values()).containsExactly(2.5f, 11.5f);
        assertThat(merged.cost()).isEqualTo(1 + 4 + 9 + 16 + 1 + 4);
    }

    private static NumberTable random(Random random, int rows, int columns) {
        float[] values = new float[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat(-10, 10);
        }
        return new NumberTable(values, columns);
    }
}
