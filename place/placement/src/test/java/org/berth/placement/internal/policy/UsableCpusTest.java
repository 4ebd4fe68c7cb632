package org.berth.placement.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.berth.machines.Machines;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementException;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;

class UsableCpusTest {
    private static final Topology TIERS = TopologyXml.parse(Machines.xml("fakeheteromemtiers"));
    private static final Topology PCI = TopologyXml.parse(Machines.xml("40intel64-2g2n4c+pci"));
    private static final PlacementRequest REQUEST = PlacementRequest.of(AffinityLevel.NONE, 1, 1);

    @Test
    void nearADeviceMeansOnItsCpus() {
        assertThat(plan(TIERS, REQUEST.withNearDevice("dax0.0")).cpus().toString())
                .isEqualTo("0-1");
        assertThat(plan(TIERS, REQUEST.withNearDevice("dax0.0")).notes()).isEmpty();
        assertThat(plan(TIERS, REQUEST.withNearDevice("dax0.0").withCpus(CpuSet.range(1, 3)))
                        .allowed()
                        .toString())
                .isEqualTo("1");
    }

    @Test
    void namedMemoryNodesMustBeAllowed() {
        Topology half = TIERS.withAllowed(TIERS.allowedCpuSet(), NodeSet.of(0));
        assertThat(plan(half, REQUEST.withMemory(MemoryMode.BIND, NodeSet.of(0)))
                        .workerNodes(0))
                .isEqualTo(NodeSet.of(0));
        assertThatThrownBy(() -> plan(half, REQUEST.withMemory(MemoryMode.BIND, NodeSet.of(0, 1))))
                .isInstanceOf(PlacementException.class)
                .hasMessage("memory nodes '0-1' are not among the allowed nodes: choose from 0");
        assertThatThrownBy(() -> plan(half, REQUEST.withMemory(MemoryMode.BIND, NodeSet.empty())))
                .isInstanceOf(PlacementException.class)
                .hasMessageContaining("choose from 0");
    }

    @Test
    void aDeviceThatIsNearEverythingIsSaidSo() {
        PlacementPlan plan = plan(PCI, REQUEST.withNearDevice("0000:02:00.1"));
        assertThat(plan.cpus().toString()).isEqualTo("0-39");
        assertThat(plan.notes()).containsExactly("device 0000:02:00.1 is equally near to every CPU of this machine");
    }

    @Test
    void unknownDevicesListTheKnownOnes() {
        assertThatThrownBy(() -> plan(TIERS, REQUEST.withNearDevice("eth7")))
                .isInstanceOf(PlacementException.class)
                .hasMessage("unknown device 'eth7': choose one of dax0.0, dax2.0, dax6.0");
        assertThatThrownBy(() -> plan(PCI, REQUEST.withNearDevice("")))
                .isInstanceOf(PlacementException.class)
                .hasMessageStartingWith("unknown device '': choose one of sda, eth0, eth1,")
                .hasMessageContaining("0000:00:00.0")
                .hasMessageEndingWith("more");
        assertThatThrownBy(() -> plan(TopologyXml.parse(Machines.xml("2x8x2")), REQUEST.withNearDevice("eth0")))
                .isInstanceOf(PlacementException.class)
                .hasMessage("unknown device 'eth0': this machine's description holds no devices");
    }

    @Test
    void aDeviceFarFromTheUsableCpusAreRefused() {
        assertThatThrownBy(() -> plan(TIERS, REQUEST.withNearDevice("dax0.0").withCpus(CpuSet.of(5))))
                .isInstanceOf(PlacementException.class)
                .hasMessage("device 'dax0.0' is near CPUs 0-1, and none of them may be used here (5):"
                        + " allow some or drop the device");
    }

    @Test
    void namedCpusMustAllBeAllowed() {
        Topology machine = TIERS.withAllowed(CpuSet.range(0, 2), NodeSet.full());
        assertThat(plan(machine, REQUEST.withCpus(CpuSet.of(1))).cpus().toString())
                .isEqualTo("1");
        assertThat(plan(machine, REQUEST.withCpus(CpuSet.parseList("1-")))
                        .cpus()
                        .toString())
                .isEqualTo("1-2");
        assertThatThrownBy(() -> plan(machine, REQUEST.withCpus(CpuSet.range(2, 9))))
                .isInstanceOf(PlacementException.class)
                .hasMessage("CPUs 3-9 of the requested 2-9 are not in the allowed set 0-2: ask for allowed CPUs only");
        assertThatThrownBy(() -> plan(machine, REQUEST.withCpus(CpuSet.parseList("3-"))))
                .isInstanceOf(PlacementException.class)
                .hasMessage("none of the requested CPUs '3-' is in the allowed set 0-2: ask for at least one of them");
        assertThatThrownBy(() -> plan(machine, REQUEST.withCpus(CpuSet.empty())))
                .isInstanceOf(PlacementException.class)
                .hasMessageStartingWith("none of the requested CPUs ''");
    }

    @Test
    void machinesWithoutAllowedCpusAreRefused() {
        Topology machine = TIERS.withAllowed(CpuSet.empty(), NodeSet.full());
        assertThatThrownBy(() -> plan(machine, REQUEST))
                .isInstanceOf(PlacementException.class)
                .hasMessage("this machine's description allows no CPU: nothing can be placed");
    }

    private static PlacementPlan plan(Topology machine, PlacementRequest request) {
        return PlacementPolicies.byLevel().plan(machine, request);
    }
}
