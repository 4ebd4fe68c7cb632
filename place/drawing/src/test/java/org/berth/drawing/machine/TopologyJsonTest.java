package org.berth.drawing.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.machines.ExpectedCounts;
import org.berth.machines.Goldens;
import org.berth.machines.JsonValues;
import org.berth.machines.Machines;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TopologyJsonTest {
    static List<String> recorded() {
        return Machines.names();
    }

    @Test
    void looksAsItDid() {
        Goldens.check(
                "json/2arm-2c.json", TopologyJson.render(TopologyXml.parse(Machines.xml("2arm-2c")), "2arm-2c.xml"));
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void countsAsLstopoDoes(String machine) {
        Map<String, Object> json =
                JsonValues.object(TopologyJson.render(TopologyXml.parse(Machines.xml(machine)), machine + ".xml"));
        ExpectedCounts expected = Machines.expected(machine);

        assertThat(json).containsEntry("format", "berth-topology").containsEntry("version", 1L);
        assertThat(json).containsEntry("source", machine + ".xml");
        assertThat(json).containsEntry("allowedCpus", expected.allowedCpus());
        List<String> types = new ArrayList<>();
        collectTypes(JsonValues.field(json, "machine"), types);
        requireCount(types, json, "package", expected.packages());
        requireCount(types, json, "die", expected.dies());
        requireCount(types, json, "numaNode", expected.numaNodes());
        requireCount(types, json, "l3Cache", expected.l3());
        requireCount(types, json, "l2Cache", expected.l2());
        requireCount(types, json, "core", expected.cores());
        requireCount(types, json, "pu", expected.pus());
    }

    private static void requireCount(List<String> types, Map<String, Object> json, String type, int expected) {
        assertThat(types.stream().filter(type::equals)).as(type).hasSize(expected);
        Object count = ((Map<?, ?>) JsonValues.field(json, "counts")).get(type);
        assertThat(count == null ? 0L : count).as("counts.%s", type).isEqualTo((long) expected);
    }

    private static void collectTypes(Object object, List<String> types) {
        Map<?, ?> fields = (Map<?, ?>) object;
        types.add((String) JsonValues.field(fields, "type"));
        for (String children : List.of("children", "memoryChildren", "ioChildren", "miscChildren")) {
            if (fields.get(children) instanceof List<?> list) {
                list.forEach(child -> collectTypes(child, types));
            }
        }
    }
}
