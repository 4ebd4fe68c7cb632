package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.berth.machines.Machines;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;

class IndistinguishableTest {
    private static final OrderedLevel NONE = OrderedLevel.of(AffinityLevel.NONE);
    private static final OrderedLevel NUMA = OrderedLevel.of(AffinityLevel.NUMA);
    private static final OrderedLevel PACKAGE = OrderedLevel.of(AffinityLevel.PACKAGE);
    private static final OrderedLevel L3 = OrderedLevel.of(AffinityLevel.L3);
    private static final OrderedLevel SPREAD = OrderedLevel.parse("l3-spread");
    private static final OrderedLevel CORE = OrderedLevel.of(AffinityLevel.CORE);
    private static final OrderedLevel PU = OrderedLevel.of(AffinityLevel.PU);

    @Test
    void allLevelsDifferOnALargeMachine() {
        assertThat(groups(machine("2x12x8"), 2, 6))
                .containsExactly(
                        List.of(NONE),
                        List.of(NUMA),
                        List.of(PACKAGE),
                        List.of(L3),
                        List.of(SPREAD),
                        List.of(CORE),
                        List.of(PU));
    }

    @Test
    void onePackageAndOneNodeWithoutThreadsOfACore() {
        assertThat(groups(machine("2arm-2c"), 1, 2))
                .containsExactly(List.of(NONE, NUMA, PACKAGE, L3, SPREAD), List.of(CORE, PU));
    }

    @Test
    void oneNodeAPackage() {
        assertThat(groups(machine("2x8x2"), 2, 2))
                .containsExactly(List.of(NONE), List.of(NUMA, PACKAGE, L3, SPREAD), List.of(CORE), List.of(PU));
    }

    @Test
    void oneAllowedCpu() {
        Topology machine = machine("2x8x2").withAllowed(CpuSet.of(17), NodeSet.of(0, 1));
        assertThat(groups(machine, 3, 2)).containsExactly(List.of(NONE, NUMA, PACKAGE, L3, SPREAD, CORE, PU));
    }

    /** Two threads on the two PUs of one core: at level core they share it, at level pu each has its own. */
    @Test
    void oneCoreOfTwoPus() {
        Topology machine = machine("2x8x2").withAllowed(CpuSet.of(1, 17), NodeSet.of(0, 1));
        assertThat(groups(machine, 1, 2)).containsExactly(List.of(NONE, NUMA, PACKAGE, L3, SPREAD, CORE), List.of(PU));
    }

    private static Topology machine(String name) {
        return TopologyXml.parse(Machines.xml(name));
    }

    private static List<List<OrderedLevel>> groups(Topology machine, int workers, int threads) {
        return PlacementPolicies.indistinguishable(
                machine, PlacementRequest.of(AffinityLevel.PACKAGE, workers, threads));
    }
}
