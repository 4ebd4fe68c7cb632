package org.berth.drawing.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LabelsTest {
    @Test
    void processorNamesAreWithoutNoise() {
        assertThat(Labels.processor(Map.of("CPUModel", "Intel(R) Xeon(R) CPU           E5345  @ 2.33GHz")))
                .contains("Intel Xeon E5345 @ 2.33GHz");
        assertThat(Labels.processor(Map.of())).isEmpty();
    }
}
