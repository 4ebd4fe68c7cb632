package org.berth.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import org.berth.machines.Machines;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostTest {
    @ParameterizedTest
    @CsvSource({
        "2x8x2, 32, 16, 2, 16, 2, 16, 2, 16",
        "2x12x8, 192, 24, 4, 48, 2, 96, 24, 8",
        "4x10x2, 80, 40, 4, 20, 4, 20, 4, 20",
        "48amd64-4d2n6c-sparse, 48, 48, 8, 6, 4, 12, 8, 6",
        "20em64t-hybrid-1p6c2t+2ca4co1t, 20, 14, 1, 20, 1, 20, 1, 20",
        "fakecpuid1f-64intel64-2p4d2n2c2t, 64, 32, 16, 4, 4, 16, 8, 8"
    })
    void measuresMachinesOfAllKinds(
            String machine,
            int pus,
            int cores,
            int nodes,
            int nodePus,
            int packages,
            int packagePus,
            int caches,
            int cachePus) {
        assertThat(Host.of(TopologyXml.parse(Machines.xml(machine))))
                .isEqualTo(new Host(pus, cores, nodes, nodePus, packages, packagePus, caches, cachePus));
    }

    @Test
    void seesOnlyWhatTheNodeManagerMayUse() {
        Topology whole = TopologyXml.parse(Machines.xml("2x8x2"));
        Topology some = whole.withAllowed(CpuSet.parseList("0-7,16-19"), NodeSet.parseList("0"));
        assertThat(Host.of(some)).isEqualTo(new Host(12, 8, 1, 12, 1, 12, 1, 12));
    }
}
