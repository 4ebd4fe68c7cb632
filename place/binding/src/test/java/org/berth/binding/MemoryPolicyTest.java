package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.berth.placement.MemoryMode;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MemoryPolicyTest {
    @Test
    void localTakesNoNodes() {
        assertThat(MemoryPolicy.local().nodes().isEmpty()).isTrue();
        assertThatThrownBy(() -> new MemoryPolicy(MemoryMode.LOCAL, NodeSet.of(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("takes no nodes");
    }

    @ParameterizedTest
    @EnumSource(names = "LOCAL", mode = EnumSource.Mode.EXCLUDE)
    void theOthersNeedOne(MemoryMode mode) {
        assertThat(new MemoryPolicy(mode, NodeSet.of(0, 1))).hasToString(mode + " nodes 0-1");
        assertThatThrownBy(() -> new MemoryPolicy(mode, NodeSet.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one node");
    }
}
