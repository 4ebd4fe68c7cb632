package org.berth.drawing.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PictureLayoutTest {
    @Test
    void wrapsLabelsBetweenTheirParts() {
        assertThat(PictureLayout.wrap("eth0 · network · PCI 02:00.0", 18))
                .containsExactly("eth0 · network", "  PCI 02:00.0");
        assertThat(PictureLayout.wrap("unbreakable", 6)).isEqualTo(List.of("unbre…"));
    }
}
