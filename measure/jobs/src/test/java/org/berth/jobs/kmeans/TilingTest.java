package org.berth.jobs.kmeans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TilingTest {
    private static final NumberTable TABLE = new NumberTable(new float[] {0, 7, 100, 7, 50, 7}, 2);

    @Test
    void leavesOneCopyAsItIs() {
        assertThat(Tiling.slice(TABLE, 1, 0, 1).values()).containsExactly(TABLE.values());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 29, 64})
    void givesTheSameRowsInAnyNumberOfSlices(int slices) {
        float[] whole = Tiling.slice(TABLE, 10, 0, 1).values();
        float[] joined = new float[0];
        for (int slice = 0; slice < slices; slice++) {
            float[] part = Tiling.slice(TABLE, 10, slice, slices).values();
            joined = Arrays.copyOf(joined, joined.length + part.length);
            System.arraycopy(part, 0, joined, joined.length - part.length, part.length);
        }

        assertThat(joined).containsExactly(whole);
    }

    @Test
    void movesCopiesByAtMostOnePercentOfTheColumnsRange() {
        NumberTable tiled = Tiling.slice(TABLE, 1000, 0, 1);
        Set<Float> different = new HashSet<>();
        double sum = 0;
        for (int row = 0; row < tiled.rows(); row++) {
            float moved = tiled.value(row, 0) - TABLE.value(row % 3, 0);
            assertThat(moved).isBetween(-1.0001f, 1.0001f);
            assertThat(tiled.value(row, 1)).isEqualTo(7);
            different.add(moved);
            sum += moved;
        }

        assertThat(different).hasSizeGreaterThan(2000);
        assertThat(sum / tiled.rows()).isCloseTo(0, within(0.05));
    }
}
