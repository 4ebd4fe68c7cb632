package org.berth.observation.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;

class MemoryLocalityTest {
    @Test
    void countsTheBytesOnTheNodes() {
        MemorySnapshot memory = new MemorySnapshot(
                new TreeMap<>(Map.of(0, 100L, 1, 5000L, 2, 300L)), new TreeMap<>(Map.of(0, 100L, 2, 300L)));
        assertThat(MemoryLocality.of(memory, NodeSet.of(2, 3))).isEqualTo(new MemoryLocality(300, 400));
        assertThat(MemoryLocality.of(memory, NodeSet.of(2)).share()).isEqualTo(0.75);
        assertThat(MemoryLocality.of(new MemorySnapshot(new TreeMap<>(), new TreeMap<>()), NodeSet.of(0))
                        .share())
                .isEqualTo(1);
    }
}
