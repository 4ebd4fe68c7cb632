package org.berth.topology.internal.xml;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.machines.RandomMachine;
import org.berth.machines.RandomSeed;
import org.berth.oracle.HwlocTools;
import org.berth.oracle.Tool;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written is what hwloc writes, and reads back as the same machine. */
class TopologyWriterTest {
    static Stream<String> machines() {
        return Stream.concat(Machines.names().stream(), Machines.literature().stream());
    }

    /** The recordings were written by lstopo: line by line the same, but for what lstopo could do on the machine. */
    @ParameterizedTest
    @MethodSource("machines")
    void writesWhatLstopoWrote(String name) {
        assertThat(TopologyXml.write(TopologyXml.parse(Machines.xml(name))).lines())
                .containsExactlyElementsOf(withoutSupport(Machines.xml(name)));
    }

    private static List<String> withoutSupport(String xml) {
        return xml.lines().filter(line -> !line.contains("<support ")).toList();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void lstopoReadsItAsTheSameMachine(String name) {
        Path lstopo = Tool.require("lstopo-no-graphics");
        String ours = TopologyXml.write(TopologyXml.parse(Machines.xml(name)));
        String[] asXml = {"--of", "xml", "--filter", "all:all", "--whole-system"};
        assertThat(withoutSupport(HwlocTools.run(lstopo, ours, asXml)))
                .isEqualTo(withoutSupport(HwlocTools.run(lstopo, Machines.xml(name), asXml)));
    }

    static Stream<String> format3() {
        return Machines.format3().stream();
    }

    @ParameterizedTest
    @MethodSource("format3")
    void format3BecomesFormat2(String name) {
        Topology machine = TopologyXml.parse(Machines.format3Xml(name));
        Topology again = TopologyXml.parse(TopologyXml.write(machine));
        assertThat(again.describe()).isEqualTo(machine.describe());
        assertThat(again.infos()).isEqualTo(machine.infos());
        assertThat(TopologyXml.write(again)).isEqualTo(TopologyXml.write(machine));
    }

    @Test
    void randomMachinesComeBackTheSame() {
        long seed = RandomSeed.next("writer");
        for (int i = 0; i < 150; i++) {
            String written = TopologyXml.write(TopologyXml.parse(RandomMachine.xml(seed + i)));
            assertThat(TopologyXml.write(TopologyXml.parse(written)))
                    .as("machine of seed " + (seed + i))
                    .isEqualTo(written);
        }
    }

    @Test
    void textOfAnyKindComesBack() {
        String xml = Machines.xml("2arm-2c")
                .replaceFirst(
                        "<info name=\"[^\"]*\" value=\"[^\"]*\"",
                        "<info name=\"Odd\" value=\"&lt;&amp;&gt;&quot;'&#9;&#10;é\"");
        Topology machine = TopologyXml.parse(TopologyXml.write(TopologyXml.parse(xml)));
        assertThat(machine.infos()).containsEntry("Odd", "<&>\"'\t\né");
    }

    @Test
    void objectsWithoutNumbersOfHwlocGetSome() {
        String bare = Machines.xml("fakeheteromemtiers").replaceAll(" gp_index=\"\\d+\"", "");
        String withoutAttributes = bare.replaceAll("(?s)<memattr .*</memattr>", "");
        String written = TopologyXml.write(TopologyXml.parse(withoutAttributes));
        Topology again = TopologyXml.parse(written);
        assertThat(again.objects(ObjectType.PU).stream()
                        .map(TopologyObject::globalIndex)
                        .distinct())
                .hasSize(again.count(ObjectType.PU))
                .doesNotContain(0L);
        assertThat(again.distances()).hasSize(1);
    }
}
