package org.berth.topology.xml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.berth.machines.Machines;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same machines as hwloc 2.9 and hwloc 3.0 write them. */
class Format3Test {
    static List<String> machines() {
        return Machines.format3();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void bothFormatsGiveTheSameMachine(String name) {
        Topology two = TopologyXml.parse(Machines.xml(name));
        Topology three = TopologyXml.parse(Machines.format3Xml(name));
        for (ObjectType type : ObjectType.values()) {
            // The two files were written with different filters for these.
            if (!type.isInstructionCache() && !type.isIo() && type != ObjectType.MISC) {
                assertThat(sets(three.objects(type))).as(type.name()).isEqualTo(sets(two.objects(type)));
            }
        }
        assertThat(three.allowedCpuSet().toString())
                .isEqualTo(two.allowedCpuSet().toString());
        assertThat(matrices(three)).isEqualTo(matrices(two));
        assertThat(kinds(three)).isEqualTo(kinds(two));
        assertThat(attributes(three)).isEqualTo(attributes(two));
        Map<String, String> devices = devices(two);
        devices.keySet().retainAll(devices(three).keySet());
        assertThat(devices(three)).isEqualTo(devices);
        assertThat(three.infos()).containsEntry("Backend", "Linux");
    }

    @Test
    void aDeviceIsOfSeveralKinds() {
        Topology machine = TopologyXml.parse(Machines.xml("32em64t-2n8c+1mic"));
        TopologyObject infiniBand = machine.device("mlx4_0").orElseThrow();
        assertThat(infiniBand.attributes())
                .isEqualTo(new ObjectAttributes.OsDevice(
                        Set.of(ObjectAttributes.DeviceKind.NETWORK, ObjectAttributes.DeviceKind.OPENFABRICS)));
    }

    private static List<String> sets(List<TopologyObject> objects) {
        return objects.stream()
                .map(object ->
                        object + " " + object.cpuSet() + " " + object.nodeSet() + " " + object.totalMemoryBytes())
                .toList();
    }

    private static List<String> matrices(Topology machine) {
        return machine.distances().stream()
                .map(matrix -> matrix.name()
                        + matrix.objects()
                        + matrix.value(0, matrix.objects().size() - 1))
                .toList();
    }

    private static List<String> kinds(Topology machine) {
        return machine.cpuKinds().stream()
                .map(kind -> kind.efficiency() + " " + kind.cpus())
                .toList();
    }

    private static List<String> attributes(Topology machine) {
        return machine.memoryAttributes().stream()
                .map(attribute -> attribute.name() + attribute.flags() + attribute.values())
                .toList();
    }

    private static Map<String, String> devices(Topology machine) {
        Map<String, String> devices = new TreeMap<>();
        for (TopologyObject device : machine.objects(ObjectType.OS_DEVICE)) {
            devices.put(device.name().orElse(""), device + " " + device.attributes() + " " + machine.locality(device));
        }
        return devices;
    }
}
