package org.berth.drawing.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.berth.machines.Goldens;
import org.berth.machines.Machines;
import org.berth.topology.Distances;
import org.berth.topology.Topology;
import org.berth.topology.edit.TopologyEditor;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyFactsTest {
    static List<String> machines() {
        return Machines.all();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fakeheteromemtiers",
                "20em64t-hybrid-1p6c2t+2ca4co1t",
                "256ia64-64n2s2c",
                "offline-cpu0-node0",
                "2amd64-2n"
            })
    void lookAsTheyDid(String machine) {
        Goldens.check("facts/" + machine + ".txt", facts(machine, 80));
    }

    private static String facts(String machine, int columns) {
        Topology topology = TopologyXml.parse(Machines.xml(machine));
        return TopologyFacts.absentCpus(topology, columns) + TopologyFacts.render(topology, columns);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void stayInTheirColumnsAndInAscii(String machine) {
        for (int columns : new int[] {40, 80, 200}) {
            String facts = facts(machine, columns);
            assertThat(facts).matches("[\\x20-\\x7e\\n]*");
            assertThat(facts.lines()).allMatch(line -> line.length() <= columns);
        }
    }

    @Test
    void bandwidthsAreSaidToBeThat() {
        Topology plain = TopologyXml.parse(Machines.xml("2amd64-2n"));
        Topology told = TopologyEditor.of(plain)
                .removeDistances()
                .addDistances("Links", Distances.MEANS_BANDWIDTH, plain.objects(ObjectType.PACKAGE), 9, 100, 50, 9)
                .build();
        assertThat(TopologyFacts.render(told, 80)).isEqualTo("""
                        Links, from the row to the column (greater is nearer):
                                             P#0  P#1
                          Package L#0 (P#0)    9  100
                          Package L#1 (P#1)   50    9
                        """);
    }
}
