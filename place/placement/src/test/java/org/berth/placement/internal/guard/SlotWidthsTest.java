package org.berth.placement.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.placement.AffinityLevel;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Slots of recorded machines. */
class SlotWidthsTest {
    static Stream<String> machines() {
        return Machines.domains().stream().map(line -> line.get(0)).distinct();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void eachStepHasMoreThanTheOneBeforeAndTheLastHasAll(String machine) {
        Topology topology = TopologyXml.parse(Machines.xml(machine));
        CpuSet domain = topology.allowedCpuSet();
        for (AffinityLevel level : List.of(AffinityLevel.L3, AffinityLevel.NUMA, AffinityLevel.PACKAGE)) {
            assertGrows(topology, domain, PlacementPolicies.domains(topology, level));
        }
        assertGrows(topology, domain, topology.allowedCores());
    }

    private static void assertGrows(Topology topology, CpuSet domain, List<CpuSet> slots) {
        SlotWidths widths = SlotWidths.of(topology, domain, slots);
        for (int width = 1; width <= widths.widest(); width++) {
            int now = width;
            assertThat(widths.name(now)).isNotEmpty();
            assertThat(slots)
                    .allMatch(slot -> widths.around(slot, now).containsAll(widths.around(slot, now - 1)))
                    .anyMatch(slot -> !widths.around(slot, now).equals(widths.around(slot, now - 1)));
        }
        assertThat(slots)
                .allMatch(slot -> widths.around(slot, 0).equals(slot))
                .allMatch(slot -> widths.around(slot, widths.widest()).equals(domain));
    }

    @Test
    void aPartOfAMachineStaysApart() {
        Topology topology = TopologyXml.parse(Machines.xml("128arm-2pa2n8cluster4co"));
        CpuSet domain = topology.allowedCores().stream().limit(6).reduce(CpuSet.empty(), CpuSet::union);
        List<CpuSet> slots = topology.allowedCores().subList(0, 6);

        SlotWidths widths = SlotWidths.of(topology, domain, slots);

        assertThat(widths.around(slots.get(0), widths.widest())).isEqualTo(domain);
        assertThat(SlotWidths.of(topology, domain, List.of(domain)).widest()).isZero();
        assertThat(SlotWidths.none().widest()).isZero();
    }
}
