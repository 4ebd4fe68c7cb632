package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChoiceTest {
    @ParameterizedTest
    @EnumSource
    void levelsAreReadInLowerCase(AffinityLevel level) {
        assertThat(AffinityLevel.parse(level.word())).isEqualTo(level);
        assertThatThrownBy(() -> AffinityLevel.parse(level.word().toUpperCase(Locale.ROOT)))
                .hasMessageEndingWith("; did you mean '" + level.word() + "'?");
    }

    @ParameterizedTest
    @EnumSource
    void modesAreReadInLowerCase(MemoryMode mode) {
        assertThat(MemoryMode.parse(mode.word())).isEqualTo(mode);
    }

    @ParameterizedTest
    @EnumSource
    void devicePoliciesAreReadInLowerCase(DevicePolicy policy) {
        assertThat(DevicePolicy.parse(policy.word())).isEqualTo(policy);
        assertThatThrownBy(() -> DevicePolicy.parse(policy.word().toUpperCase(Locale.ROOT)))
                .isInstanceOf(PlacementException.class);
    }

    @Test
    void earlierWordsAreAliases() {
        assertThat(AffinityLevel.parse("cpu")).isEqualTo(AffinityLevel.PACKAGE);
        assertThat(AffinityLevel.PACKAGE.word()).isEqualTo("package");
        assertThat(DynamicPolicy.parse("paper")).isEqualTo(DynamicPolicy.INTERRUPT);
        assertThat(DynamicPolicy.INTERRUPT.word()).isEqualTo("interrupt");
    }

    @Test
    void unknownWordsListTheChoices() {
        assertThatThrownBy(() -> DevicePolicy.parse("o2o"))
                .isInstanceOf(PlacementException.class)
                .hasMessage("unknown device policy 'o2o': choose one of o2nts, o2acs, o2ocs, o2ntc, o2occ");
        assertThatThrownBy(() -> AffinityLevel.parse("sock\net"))
                .isInstanceOf(PlacementException.class)
                .hasMessage("unknown affinity level 'sock?et': choose one of none, numa, package, l3, core, pu");
        assertThatThrownBy(() -> MemoryMode.parse(""))
                .isInstanceOf(PlacementException.class)
                .hasMessage(
                        "unknown memory mode '': choose one of local, bind, prefer, interleave, weighted, bind-balance, prefer-balance");
    }

    /** In Turkish the small letter of I is another one. */
    @Test
    void wordsDoNotDependOnTheLanguage() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr"));
        try {
            assertThat(MemoryMode.parse("interleave").word()).isEqualTo("interleave");
            assertThat(MemoryMode.parse("bind-balance")).isEqualTo(MemoryMode.BIND_BALANCE);
            assertThat(MemoryMode.BIND_BALANCE.word()).isEqualTo("bind-balance");
            assertThat(MemoryMode.parse("preferred-many")).isEqualTo(MemoryMode.PREFER);
            assertThat(MemoryMode.parse("bind").word()).isEqualTo("bind");
        } finally {
            Locale.setDefault(before);
        }
    }
}
