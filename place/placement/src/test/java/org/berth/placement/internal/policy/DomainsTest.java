package org.berth.placement.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementException;
import org.berth.placement.internal.shape.Division;
import org.berth.placement.internal.shape.ShapeCutter;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The parts of recorded machines; {@code domains_test.c} compares the same lines with what the agent finds in /sys. */
class DomainsTest {
    static List<List<String>> lines() {
        return Machines.domains();
    }

    @ParameterizedTest
    @MethodSource("lines")
    void aHostIsCutAsTheAgentCutsIt(List<String> line) {
        Topology topology = TopologyXml.parse(Machines.xml(line.get(0)));
        assertThat(parts(topology, CpuSet.parseList(line.get(1)), line.get(2))).isEqualTo(line.get(3));
        AffinityLevel level = AffinityLevel.parse(line.get(2));
        if (level != AffinityLevel.L3) {
            assertThat(text(PlacementPolicies.domains(topology, level).stream()))
                    .isEqualTo(line.get(3));
        }
    }

    private static String parts(Topology topology, CpuSet usable, String kind) {
        try {
            return text(new ShapeCutter(topology, usable)
                    .cut(Division.parse(kind)).stream().map(ShapeCutter.Piece::cpus));
        } catch (PlacementException none) {
            return "none";
        }
    }

    private static String text(Stream<CpuSet> parts) {
        return parts.sorted(Comparator.comparing(CpuSet::first))
                .map(CpuSet::toString)
                .collect(Collectors.joining(" "));
    }
}
