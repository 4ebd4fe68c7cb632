package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SamplingPaceTest {
    private static final long MILLIS = 1_000_000;

    @Test
    void samplesThatCostLittleComeAsOftenAsWanted() {
        SamplingPace pace = new SamplingPace();
        long spent = 0;
        for (int i = 0; i < 100; i++) {
            assertThat(pace.next(spent, 10 * MILLIS)).isEqualTo(10 * MILLIS);
            spent += 30_000;
        }
    }

    @Test
    void samplesThatCostMuchComeSeldom() {
        SamplingPace pace = new SamplingPace();
        long spent = 0;
        long paused = 0;
        for (int i = 0; i < 100; i++) {
            paused += pace.next(spent, 10 * MILLIS);
            spent += MILLIS;
        }
        assertThat((double) spent / paused).isBetween(0.003, 0.005);
    }

    @Test
    void oneCostlySampleIsForgotten() {
        SamplingPace pace = new SamplingPace();
        pace.next(0, 10 * MILLIS);
        pace.next(20 * MILLIS, 10 * MILLIS);
        long pause = Long.MAX_VALUE;
        for (int i = 0; i < 100; i++) {
            pause = pace.next(20 * MILLIS, 10 * MILLIS);
        }
        assertThat(pause).isEqualTo(10 * MILLIS);
    }
}
