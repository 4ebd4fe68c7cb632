package org.berth.placement.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class UnknownSettingsTest {
    private static final List<String> KNOWN = List.of("spark.berth.level", "spark.berth.plan");

    @Test
    void theNearestKnownNameIsNamed() {
        assertThat(UnknownSettings.of(List.of("spark.berth.plan", "spark.berth.levle"), KNOWN))
                .containsExactly("the setting spark.berth.levle is unknown and has no effect; did you mean"
                        + " spark.berth.level?");
    }

    @Test
    void withoutANearOneAllAreNamed() {
        assertThat(UnknownSettings.of(List.of("spark.berth.colour"), KNOWN))
                .containsExactly("the setting spark.berth.colour is unknown and has no effect; there is"
                        + " spark.berth.level, spark.berth.plan");
        assertThat(UnknownSettings.of(KNOWN, KNOWN)).isEmpty();
    }
}
