package org.berth.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MetricTest {
    private final Metric metric = new Metric("job", "s", Pattern.compile("job-seconds=(\\S+)"));

    @Test
    void numberAnywhereInALine() {
        assertThat(metric.find("INFO job-seconds=12.5 done")).hasValue(12.5);
        assertThat(metric.find("job-seconds=1e-3")).hasValue(0.001);
    }

    @Test
    void whatIsNoNumberIsNotFound() {
        assertThat(metric.find("job-seconds=soon")).isEmpty();
        assertThat(metric.find("job-minutes=3")).isEmpty();
    }

    @Test
    void patternWithoutGroup() {
        assertThatThrownBy(() -> new Metric("job", "s", Pattern.compile("seconds")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no group");
    }
}
