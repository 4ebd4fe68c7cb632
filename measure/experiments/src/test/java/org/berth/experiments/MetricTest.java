package org.berth.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricTest {
    private final Metric metric = new Metric("job", "s", Pattern.compile("job-seconds=(\\S+)"));

    @Test
    void numberAnywhereInALine() {
        assertThat(metric.find("INFO job-seconds=12.5 done")).hasValue(new PrintedNumber(12.5, 0.1));
        assertThat(metric.find("job-seconds=1e-3")).hasValue(new PrintedNumber(0.001, 0.001));
    }

    /** The step to the next number that could have been printed. */
    @ParameterizedTest
    @CsvSource({"12,1", "12.0,0.1", "0.310,0.001", "-7.25,0.01", "1.5e3,100", "1500,1", "0x1p3,0", "0,1"})
    void aNumberHasTheStepOfItsText(String text, double step) {
        assertThat(PrintedNumber.parse(text))
                .hasValueSatisfying(number -> assertThat(number.step()).isEqualTo(step));
    }

    @Test
    void whatIsNoNumberIsNotFound() {
        assertThat(metric.find("job-seconds=soon")).isEmpty();
        assertThat(metric.find("job-minutes=3")).isEmpty();
    }

    /** No mean and no interval can be computed of them. */
    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "1e308", "-1e200"})
    void aNumberThatIsNotFiniteOrTooLargeIsNone(String text) {
        assertThat(PrintedNumber.parse(text)).isEmpty();
    }

    @Test
    void patternWithoutGroup() {
        assertThatThrownBy(() -> new Metric("job", "s", Pattern.compile("seconds")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no group");
    }
}
