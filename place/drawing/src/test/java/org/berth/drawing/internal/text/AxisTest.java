package org.berth.drawing.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

final class AxisTest {
    @Test
    void stepsOfTimeAreRound() {
        assertThat(Axis.time(7.3, 10).step()).isCloseTo(1, within(1e-9));
        assertThat(Axis.time(11, 10).step()).isCloseTo(2, within(1e-9));
        assertThat(Axis.time(0.4, 10).step()).isCloseTo(0.05, within(1e-9));
        assertThat(Axis.time(3600, 10).step()).isCloseTo(500, within(1e-9));
    }

    @Test
    void marksOfTimeStartAtZeroAndStayInside() {
        assertThat(Axis.time(2.5, 5).marks()).containsExactly(0.0, 0.5, 1.0, 1.5, 2.0, 2.5);
        assertThat(Axis.time(0, 5).marks()).containsExactly(0.0);
    }

    @Test
    void labelsOfTimeHaveTheDigitsOfTheStep() {
        assertThat(new Axis(0, 2, 0.5).seconds(1.5)).isEqualTo("1.5 s");
        assertThat(new Axis(0, 50, 10).seconds(20)).isEqualTo("20 s");
        assertThat(new Axis(0, 1, 0.01).seconds(0.05)).isEqualTo("0.05 s");
        assertThat(new Axis(0, 9000, 1000).seconds(5000)).isEqualTo("5000 s");
    }

    @Test
    void marksAreRoundAndInside() {
        Axis axis = Axis.around(DoubleStream.of(9.13, 10.87));

        assertThat(axis.marks()).hasSizeBetween(3, 6);
        assertThat(axis.marks()).allSatisfy(mark -> {
            assertThat(mark).isBetween(axis.low() - 1e-9, axis.high() + 1e-9);
            assertThat(Double.parseDouble(axis.label(mark))).isCloseTo(mark, within(1e-9));
        });
        Axis thousands = Axis.fromZero(DoubleStream.of(120_000));
        assertThat(thousands.marks().stream().map(thousands::label)).containsExactly("0", "50k", "100k");
        assertThat(Axis.around(DoubleStream.of(5, 5)).marks()).isNotEmpty();
        assertThat(Axis.fromZero(DoubleStream.empty()).marks()).contains(0.0, 1.0);
    }

    @Test
    void endsAreZeroAndOne() {
        assertThat(new Axis(2, 4, 1).share(2)).isZero();
        assertThat(new Axis(2, 4, 1).share(4)).isEqualTo(1);
        assertThat(Axis.time(0, 5).share(0)).isZero();
    }
}
