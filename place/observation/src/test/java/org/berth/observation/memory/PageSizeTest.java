package org.berth.observation.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.berth.observation.Reading;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;

class PageSizeTest {
    @Test
    void aPageHasTheSizeThatGetconfTells() {
        assertThat(PageSize.bytes())
                .isEqualTo(Reading.of(
                        Long.valueOf(Tool.output("getconf", "PAGESIZE").strip())));
    }
}
