package org.berth.topology.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.oracle.HwlocTools;
import org.berth.oracle.Tool;
import org.berth.topology.CpuKind;
import org.berth.topology.CpuSet;
import org.berth.topology.Distances;
import org.berth.topology.MemoryAttribute;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;

/**
 * What is added is there, also for lstopo, which checks its own invariants on the result. The checks are those of
 * hwloc's tests hwloc_groups2, hwloc_insert_misc, hwloc_topology_allow, hwloc_distances, memattrs and cpukinds.
 */
class TopologyEditorTest {
    private static final Topology MACHINE = TopologyXml.parse(Machines.xml("2x8x2"));

    /** The machine as lstopo shows it. */
    private static String lstopo(Topology topology, String... arguments) {
        return HwlocTools.run(Tool.require("lstopo-no-graphics"), TopologyXml.write(topology), arguments);
    }

    @Test
    void aGroupIsALevel() {
        List<TopologyObject> cores = MACHINE.objects(ObjectType.CORE);
        Topology grouped = TopologyEditor.of(MACHINE)
                .addGroup(cores.subList(0, 2), "Pair")
                .addGroup(cores.subList(2, 5), "Triple")
                .build();
        assertThat(grouped.count(ObjectType.GROUP)).isEqualTo(2);
        TopologyObject pair = grouped.object(ObjectType.GROUP, 0).orElseThrow();
        assertThat(pair.cpuSet())
                .isEqualTo(cores.get(0).cpuSet().union(cores.get(1).cpuSet()));
        assertThat(pair.subtype()).contains("Pair");
        assertThat(grouped.depth()).isEqualTo(MACHINE.depth() + 1);
        assertThat(grouped.objects("Group0")).hasSize(2);
        assertThat(lstopo(grouped)).contains("Group0(Pair)").contains("Group0(Triple)");
    }

    @Test
    void aGroupThatIsThereAlreadyAddsNothing() {
        Topology same = TopologyEditor.of(MACHINE)
                .addGroup(MACHINE.below(MACHINE.objects(ObjectType.PACKAGE).get(1), ObjectType.CORE), "Package again")
                .addGroup(MACHINE.cpuSet(), "Machine again")
                .build();
        assertThat(TopologyXml.write(same)).isEqualTo(TopologyXml.write(MACHINE));
    }

    @Test
    void aGroupCannotCutAnObject() {
        CpuSet half = MACHINE.object(ObjectType.CORE, 0).orElseThrow().cpuSet().singlify();
        CpuSet cut = half.union(MACHINE.object(ObjectType.CORE, 1).orElseThrow().cpuSet());
        assertThatThrownBy(() -> TopologyEditor.of(MACHINE).addGroup(cut, "Cut"))
                .hasMessageContaining("has only some of them");
        assertThatThrownBy(() -> TopologyEditor.of(MACHINE).addGroup(CpuSet.of(4000), "Nowhere"))
                .hasMessageContaining("without a CPU of the machine");
    }

    @Test
    void miscObjectsAndInfosHangWhereTheyWereHung() {
        TopologyObject core = MACHINE.object(ObjectType.CORE, 3).orElseThrow();
        TopologyObject node = MACHINE.object(ObjectType.NUMA_NODE, 1).orElseThrow();
        Topology changed = TopologyEditor.of(MACHINE)
                .addMisc(core, "Sensor")
                .addMisc(node, "Slot <7>")
                .addInfo(node, "Vendor", "first")
                .addInfo(node, "Vendor", "second & last")
                .build();
        assertThat(changed.objects(ObjectType.MISC)).hasSize(2);
        TopologyObject sensor =
                changed.object(ObjectType.CORE, 3).orElseThrow().miscChildren().get(0);
        assertThat(sensor.name()).contains("Sensor");
        assertThat(sensor.parent().orElseThrow().logicalIndex()).isEqualTo(3);
        assertThat(changed.numaNode(1).orElseThrow().infos()).containsEntry("Vendor", "second & last");
        assertThat(MACHINE.count(ObjectType.MISC)).isZero();
        assertThat(lstopo(changed, "-v")).contains("Slot <7>").contains("Vendor=\"second & last\"");
    }

    @Test
    void textThatXmlCannotHoldIsRefused() {
        TopologyEditor editor = TopologyEditor.of(MACHINE);
        for (String text : new String[] {"a\u0000b", "a\u0001b", "a\ud800b", "a\uffffb", "x".repeat(5000)}) {
            assertThatThrownBy(() -> editor.addInfo(MACHINE.root(), "Name", text))
                    .hasMessageContaining("that XML cannot hold");
        }
        assertThatThrownBy(() -> editor.addMisc(MACHINE.root(), "")).hasMessageContaining("is empty");
        TopologyObject foreign = TopologyXml.parse(Machines.xml("2arm-2c")).root();
        assertThatThrownBy(() -> editor.addMisc(foreign, "Sensor")).hasMessageContaining("not, or no longer");
    }

    @Test
    void theAllowedSetsAreWhatIsAsked() {
        Topology small = TopologyEditor.of(MACHINE)
                .allow(CpuSet.parseList("0-3,5000"), NodeSet.of(1))
                .build();
        assertThat(small.allowedCpuSet()).isEqualTo(CpuSet.range(0, 3));
        assertThat(small.allowedNodeSet()).isEqualTo(NodeSet.of(1));
        assertThat(small.cpuSet()).isEqualTo(MACHINE.cpuSet());
        assertThat(lstopo(small, "--of", "xml", "--disallowed")).contains("allowed_cpuset=\"0x0000000f\"");
        Topology whole = TopologyEditor.of(small).allowAll().build();
        assertThat(whole.allowedCpuSet()).isEqualTo(MACHINE.cpuSet());
        assertThatThrownBy(() -> TopologyEditor.of(MACHINE).allow(CpuSet.of(5000), NodeSet.of(0)))
                .hasMessageContaining("nothing would be allowed");
    }

    @Test
    void matricesComeAndGo() {
        List<TopologyObject> nodes = MACHINE.objects(ObjectType.NUMA_NODE);
        List<TopologyObject> packages = MACHINE.objects(ObjectType.PACKAGE);
        TopologyEditor editor = TopologyEditor.of(MACHINE)
                .removeDistances()
                .addDistances("Mine", Distances.FROM_USER | Distances.MEANS_LATENCY, nodes, 10, 20, 30, 40)
                .addDistances("Wide", Distances.FROM_USER | Distances.MEANS_BANDWIDTH, packages, 9, 1, 2, 9)
                .addDistances(
                        "Mixed",
                        Distances.FROM_USER | Distances.MEANS_BANDWIDTH | 1 << 4,
                        List.of(nodes.get(0), packages.get(1)),
                        1,
                        2,
                        3,
                        4);
        Topology told = editor.build();
        assertThat(told.distances()).hasSize(3);
        Distances mine = told.distances("Mine").orElseThrow();
        TopologyObject first = told.object(ObjectType.NUMA_NODE, 0).orElseThrow();
        TopologyObject second = told.object(ObjectType.NUMA_NODE, 1).orElseThrow();
        assertThat(mine.value(first, second)).isEqualTo(20);
        assertThat(mine.value(second, first)).isEqualTo(30);
        assertThat(mine.indexOf(second)).hasValue(1);
        assertThat(mine.indexOf(told.root())).isEmpty();
        assertThat(told.distances(ObjectType.NUMA_NODE)).containsExactly(mine);
        assertThat(told.distances(told.depths(ObjectType.PACKAGE).get(0))).hasSize(1);
        Topology again = TopologyXml.parse(TopologyXml.write(told));
        assertThat(again.distances("Mixed").orElseThrow().values()).containsExactly(1, 2, 3, 4);
        assertThat(lstopo(told, "--distances"))
                .contains("name Mine kind 6")
                .contains("name Wide")
                .contains("name Mixed");

        assertThat(editor.removeDistances(ObjectType.NUMA_NODE).build().distances())
                .hasSize(2);
        assertThat(TopologyEditor.of(told).removeDistances(mine).build().distances())
                .hasSize(2);
        assertThatThrownBy(() -> TopologyEditor.of(MACHINE).removeDistances(mine))
                .hasMessageContaining("no longer");
        int depth = told.depths(ObjectType.PACKAGE).get(0);
        assertThat(TopologyEditor.of(told).removeDistances(depth).build().distances("Wide"))
                .isEmpty();
    }

    @Test
    void matricesThatCannotBeAreRefused() {
        TopologyEditor editor = TopologyEditor.of(MACHINE);
        List<TopologyObject> nodes = MACHINE.objects(ObjectType.NUMA_NODE);
        assertThatThrownBy(() -> editor.addDistances("One", 5, nodes.subList(0, 1), 1))
                .hasMessageContaining("two or more");
        assertThatThrownBy(() -> editor.addDistances("Few", 5, nodes, 1, 2, 3)).hasMessageContaining("3 values");
        assertThatThrownBy(() -> editor.addDistances("Twice", 5, List.of(nodes.get(0), nodes.get(0)), 1, 2, 3, 4))
                .hasMessageContaining("different objects");
    }

    @Test
    void memoryAttributesAreWhatWasSet() {
        TopologyObject near = MACHINE.numaNode(0).orElseThrow();
        TopologyObject far = MACHINE.numaNode(1).orElseThrow();
        CpuSet here = near.cpuSet();
        Topology told = TopologyEditor.of(MACHINE)
                .addMemoryAttribute("Energy", 2)
                .setMemoryAttribute("Energy", near, null, 30)
                .setMemoryAttribute("Energy", far, null, 20)
                .setMemoryAttribute("Bandwidth", near, here, 900)
                .setMemoryAttribute("Bandwidth", near, far.cpuSet(), 500)
                .setMemoryAttribute("Bandwidth", far, here, 400)
                .setMemoryAttribute("Bandwidth", near, here, 1000)
                .build();
        MemoryAttribute bandwidth = told.memoryAttribute("Bandwidth").orElseThrow();
        TopologyObject toldNear = told.numaNode(0).orElseThrow();
        assertThat(bandwidth.value(toldNear, here)).hasValue(1000);
        assertThat(bandwidth.value(toldNear, here.singlify())).hasValue(1000);
        assertThat(bandwidth.value(toldNear, told.cpuSet())).isEmpty();
        assertThat(bandwidth.bestTarget(here)).contains(toldNear);
        assertThat(bandwidth.bestInitiator(toldNear).orElseThrow().initiator()).isEqualTo(here);
        assertThat(bandwidth.targets()).hasSize(2);
        assertThat(bandwidth.initiators(toldNear)).hasSize(2);
        MemoryAttribute energy = told.memoryAttribute("Energy").orElseThrow();
        assertThat(energy.dependsOnInitiator()).isFalse();
        assertThat(energy.bestTarget(CpuSet.empty())).contains(told.numaNode(1).orElseThrow());
        assertThat(lstopo(told, "--memattrs"))
                .contains("name `Energy' flags 2")
                .contains("NUMANode L#0 = 1000 from cpuset " + here.toMaskString());
    }

    @Test
    void memoryAttributesThatCannotBeAreRefused() {
        TopologyEditor editor = TopologyEditor.of(MACHINE);
        TopologyObject node = MACHINE.numaNode(0).orElseThrow();
        for (long flags : new long[] {0, 3, 4, 9}) {
            assertThatThrownBy(() -> editor.addMemoryAttribute("Odd", flags)).hasMessageContaining("cannot be");
        }
        for (String name : new String[] {"Capacity", "Locality", "Latency"}) {
            assertThatThrownBy(() -> editor.addMemoryAttribute(name, 1)).hasMessageContaining("exists already");
        }
        assertThatThrownBy(() -> editor.setMemoryAttribute("Capacity", node, null, 1))
                .hasMessageContaining("to be set");
        assertThatThrownBy(() -> editor.setMemoryAttribute("Latency", node, null, 1))
                .hasMessageContaining("needs the CPUs");
    }

    /** lstopo's own list of every attribute on every machine, the derived ones included. */
    @Test
    void attributesAreThoseThatLstopoLists() {
        Machines.names().forEach(name -> {
            Topology machine = TopologyXml.parse(Machines.xml(name));
            String theirs = lstopo(machine, "--memattrs");
            String ours = Stream.of("Capacity", "Locality", "Bandwidth", "ReadBandwidth", "WriteBandwidth")
                    .flatMap(attribute -> machine.memoryAttribute(attribute).stream())
                    .flatMap(attribute -> attribute.values().stream())
                    .map(value -> "  NUMANode L#" + value.target().logicalIndex() + " = " + value.value()
                            + (value.initiator().isEmpty()
                                    ? ""
                                    : " from cpuset " + value.initiator().toMaskString()))
                    .collect(Collectors.joining("\n"));
            List<String> listed = theirs.lines()
                    .filter(line -> line.startsWith("  "))
                    .map(line -> line.replaceFirst(" \\([^()]*\\)$", ""))
                    .toList();
            assertThat(ours.lines()).as(name).containsExactlyInAnyOrderElementsOf(listed);
        });
    }

    @Test
    void kindsOfCpusSplitAndRank() {
        Topology told = TopologyEditor.of(MACHINE)
                .addCpuKind(CpuSet.parseList("0-15"), 10, Map.of("CoreType", "Small"))
                .addCpuKind(CpuSet.parseList("8-31,4000"), 20, Map.of("CoreType", "Big"))
                .build();
        assertThat(told.cpuKinds().stream().map(CpuKind::cpus))
                .containsExactly(CpuSet.parseList("0-7"), CpuSet.parseList("8-15"), CpuSet.parseList("16-31"));
        assertThat(told.cpuKinds().get(1).infos()).containsEntry("CoreType", "Big");
        // Two kinds of the same forced efficiency cannot be ranked by it; hwloc agrees.
        String theirs = lstopo(told, "--cpukinds");
        assertThat(theirs.lines()
                        .filter(line -> line.startsWith("CPU kind"))
                        .map(line -> line.replaceAll(".*cpuset ", "")))
                .containsExactlyElementsOf(told.cpuKinds().stream()
                        .map(kind -> kind.cpus().toMaskString())
                        .toList());
        assertThat(told.cpuKinds(CpuSet.of(3, 9))).hasSize(2);
        assertThat(told.cpuKinds(CpuSet.of(4000))).isEmpty();
        assertThatThrownBy(() -> TopologyEditor.of(MACHINE).addCpuKind(CpuSet.of(4000), 1, Map.of()))
                .hasMessageContaining("cannot be");
    }

    @Test
    void kindsOfCpusAreThoseThatLstopoLists() {
        Machines.names().forEach(name -> {
            Topology machine = TopologyXml.parse(Machines.xml(name));
            List<String> ours = machine.cpuKinds().stream()
                    .map(kind -> (kind.efficiency() < 0 ? "" : "efficiency " + kind.efficiency() + " ") + "cpuset "
                            + kind.cpus().toMaskString())
                    .toList();
            List<String> theirs = lstopo(machine, "--cpukinds")
                    .lines()
                    .filter(line -> line.startsWith("CPU kind"))
                    .map(line -> line.replaceFirst("CPU kind #\\d+ ", ""))
                    .toList();
            assertThat(ours).as(name).isEqualTo(theirs);
        });
    }

    @Test
    void bandwidthsAreTransformedAsLstopoDoes() {
        Topology machine = TopologyXml.parse(Machines.xml("fakeheteromemtiers"));
        List<TopologyObject> groups = machine.objects(ObjectType.PU).subList(0, 5);
        long[] values = {
            0, 0, 0, 50, 50, //
            0, 0, 0, 50, 100, //
            0, 0, 0, 0, 50, //
            50, 50, 0, 0, 0, //
            50, 100, 50, 0, 0
        };
        Topology told = TopologyEditor.of(machine)
                .removeDistances()
                .addDistances("NVLinkBandwidth", Distances.FROM_OS | Distances.MEANS_BANDWIDTH, groups, values)
                .build();
        // Only hwloc's own GPU code gives the subtype; in XML any object may have it.
        String xml = TopologyXml.write(told);
        for (int switchPort : new int[] {3, 4}) {
            long index = told.objects(ObjectType.PU).get(switchPort).globalIndex();
            xml = xml.replace(" gp_index=\"" + index + "\"/>", " gp_index=\"" + index + "\" subtype=\"NVSwitch\"/>");
        }
        Topology switched = TopologyXml.parse(xml);
        Distances matrix = switched.distances("NVLinkBandwidth").orElseThrow();
        assertThat(rows(matrix.links())).isEqualTo(transformed(switched, "links"));
        assertThat(rows(matrix.mergedSwitchPorts())).isEqualTo(transformed(switched, "merge-switch-ports"));
        assertThat(rows(matrix.transitiveClosure())).isEqualTo(transformed(switched, "transitive-closure"));
        assertThat(matrix.values()).isEqualTo(values);
        Distances latencies = machine.distances().get(0);
        assertThatThrownBy(() -> latencies.links()).hasMessageContaining("only bandwidths");
        assertThatThrownBy(() -> latencies.transitiveClosure()).hasMessageContaining("has switches");
    }

    private static List<List<Long>> rows(Distances matrix) {
        int size = matrix.objects().size();
        return IntStream.range(0, size)
                .mapToObj(row -> Arrays.stream(matrix.values(), row * size, (row + 1) * size)
                        .boxed()
                        .toList())
                .toList();
    }

    private static List<List<Long>> transformed(Topology topology, String transform) {
        return lstopo(topology, "--distances", "--distances-transform", transform)
                .lines()
                .filter(line -> line.matches("\\s+\\d[\\d ]*"))
                .map(line -> Arrays.stream(line.strip().split("\\s+"))
                        .skip(1)
                        .map(Long::valueOf)
                        .toList())
                .toList();
    }
}
