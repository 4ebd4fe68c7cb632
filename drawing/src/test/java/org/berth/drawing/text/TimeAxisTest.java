package org.berth.drawing.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class TimeAxisTest {
    @Test
    void stepsAreRound() {
        assertThat(TimeAxis.stepSeconds(7.3, 10)).isCloseTo(1, within(1e-9));
        assertThat(TimeAxis.stepSeconds(11, 10)).isCloseTo(2, within(1e-9));
        assertThat(TimeAxis.stepSeconds(0.4, 10)).isCloseTo(0.05, within(1e-9));
        assertThat(TimeAxis.stepSeconds(3600, 10)).isCloseTo(500, within(1e-9));
    }

    @Test
    void marksStartAtZeroAndStayInside() {
        assertThat(TimeAxis.marks(2.5, 5)).containsExactly(0.0, 0.5, 1.0, 1.5, 2.0, 2.5);
        assertThat(TimeAxis.marks(0, 5)).containsExactly(0.0);
    }

    @Test
    void labelsHaveTheDigitsOfTheStep() {
        assertThat(TimeAxis.label(1.5, 0.5)).isEqualTo("1.5 s");
        assertThat(TimeAxis.label(20, 10)).isEqualTo("20 s");
        assertThat(TimeAxis.label(0.05, 0.01)).isEqualTo("0.05 s");
    }
}
