package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;

class PlacementRequestTest {
    private static final PlacementRequest REQUEST = PlacementRequest.of(AffinityLevel.PACKAGE, 2, 3);

    @Test
    void eachWithChangesItsPartOnly() {
        PlacementRequest changed = REQUEST.withLevel(AffinityLevel.PU)
                .withWorkers(4)
                .withThreadsPerWorker(5)
                .withCpus(CpuSet.of(6))
                .withNearDevice("eth0")
                .withMemory(MemoryMode.BIND, NodeSet.of(1))
                .withRules(List.of(ThreadRule.of("*")));
        assertThat(changed.level()).isEqualTo(AffinityLevel.PU);
        assertThat(changed.order()).isEqualTo(ThreadOrder.PACK);
        assertThat(changed.workers()).isEqualTo(4);
        assertThat(changed.threadsPerWorker()).isEqualTo(5);
        assertThat(changed.within()).contains(CpuSet.of(6));
        assertThat(changed.nearDevice()).contains("eth0");
        assertThat(changed.memory()).isEqualTo(MemoryMode.BIND);
        assertThat(changed.memoryPlace()).isEqualTo(new MemoryPlace.Nodes(NodeSet.of(1)));
        assertThat(changed.rules()).containsExactly(new ThreadRule("*", "task"));
        assertThat(REQUEST).isEqualTo(PlacementRequest.of(AffinityLevel.PACKAGE, 2, 3));
    }

    @Test
    void anotherMemoryModeForgetsTheNodes() {
        assertThat(REQUEST.withMemory(MemoryMode.BIND, NodeSet.of(1)).withMemory(MemoryMode.LOCAL))
                .isEqualTo(REQUEST);
        assertThatThrownBy(() -> REQUEST.withMemory(MemoryMode.LOCAL, NodeSet.of(1)))
                .isInstanceOf(PlacementException.class)
                .hasMessageStartingWith("memory mode local has no nodes and no tier: choose another mode");
    }

    @Test
    void nobodyAndTooManyAreRefused() {
        assertThatThrownBy(() -> REQUEST.withWorkers(0))
                .isInstanceOf(PlacementException.class)
                .hasMessage("cannot place 0 workers: ask for at least 1");
        assertThatThrownBy(() -> REQUEST.withThreadsPerWorker(-1))
                .isInstanceOf(PlacementException.class)
                .hasMessage("cannot place -1 threads per worker: ask for at least 1");
        assertThatThrownBy(() -> REQUEST.withWorkers(1 << 16).withThreadsPerWorker(1 << 16))
                .isInstanceOf(PlacementException.class)
                .hasMessageContaining("more than 65536 slots");
    }
}
