package org.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.berth.machines.Machines;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The nodes of CPUs are those that the kernel's files name, which the agent reads in C: memory-only nodes are none of them. */
class NodesOfTest {
    static List<List<String>> lines() {
        return Machines.nodesOf();
    }

    @ParameterizedTest
    @MethodSource("lines")
    void nodesAreThoseOfTheKernelsFiles(List<String> line) {
        Topology machine = TopologyXml.parse(Machines.xml(line.get(0)));
        assertThat(machine.nodesOf(CpuSet.parseList(line.get(1)))).hasToString(line.get(2));
    }

    @Test
    void aNodeOfMemoryAloneIsNearAndNotOfTheCpus() {
        Topology machine = TopologyXml.parse(Machines.xml("fakeheteromemtiers"));
        CpuSet all = machine.cpuSet();
        assertThat(machine.nodesNear(all).minus(machine.nodesOf(all))).hasToString("4,6,8-9");
        assertThat(machine.nodesOf(CpuSet.empty()).isEmpty()).isTrue();
    }
}
