package org.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.berth.machines.ExpectedCounts;
import org.berth.machines.Machines;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What lstopo counts on the recorded machines, we count. */
class RecordedMachinesTest {
    static List<String> machines() {
        return Machines.names();
    }

    @Test
    void thereAre24Machines() {
        assertThat(machines()).hasSize(24);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void countsAreThoseOfLstopo(String name) {
        Topology machine = TopologyXml.parse(Machines.xml(name));
        ExpectedCounts counted = new ExpectedCounts(
                name,
                machine.count(ObjectType.PACKAGE),
                machine.count(ObjectType.DIE),
                machine.count(ObjectType.NUMA_NODE),
                machine.count(ObjectType.L3_CACHE),
                machine.count(ObjectType.L2_CACHE),
                machine.count(ObjectType.CORE),
                machine.count(ObjectType.PU),
                machine.allowedCpuSet().toString());
        assertThat(counted).isEqualTo(Machines.expected(name));
    }
}
