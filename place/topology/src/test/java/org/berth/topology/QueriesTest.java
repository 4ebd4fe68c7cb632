package org.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.machines.RandomSeed;
import org.berth.oracle.HwlocTools;
import org.berth.oracle.Tool;
import org.berth.topology.type.NodeLocality;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Lookups against hwloc's tools on the same machine, and the checks of hwloc's tests hwloc_type_depth,
 * hwloc_type_sscanf, hwloc_get_obj_inside_cpuset, hwloc_get_obj_covering_cpuset, hwloc_get_obj_below_array_by_type,
 * hwloc_get_obj_with_same_locality, hwloc_get_shared_cache_covering_obj, hwloc_obj_infos and hwloc_iodevs.
 */
@Tag("one-jdk")
class QueriesTest {
    static Stream<String> machines() {
        return Stream.concat(Machines.names().stream(), Machines.literature().stream());
    }

    private static List<TopologyObject> all(Topology machine) {
        List<TopologyObject> all = new ArrayList<>();
        machine.forEachObject(all::add);
        return all;
    }

    @ParameterizedTest
    @MethodSource("machines")
    void objectsAreDescribedAsLstopoDoes(String name) {
        Path lstopo = Tool.require("lstopo-no-graphics");
        List<String> theirs = HwlocTools.run(
                        lstopo, Machines.xml(name), "-v", "--no-collapse", "--filter", "all:all", "--disallowed")
                .lines()
                .map(String::strip)
                .takeWhile(line -> !line.startsWith("depth 0:"))
                .toList();
        for (TopologyObject object : all(TopologyXml.parse(Machines.xml(name)))) {
            if (object.type() == ObjectType.MACHINE || object.type() == ObjectType.MISC) {
                continue;
            }
            String os = object.osIndex() >= 0 && !object.type().isIo() ? "P#" + object.osIndex() + " " : "";
            String text = (os + object.attributesText()).strip();
            assertThat(theirs)
                    .as(object.toString())
                    .anyMatch(line -> line.contains(text.isEmpty() ? "" : "(" + text + ")"));
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void everyNameOfATypeIsUnderstood(String name) {
        Topology machine = TopologyXml.parse(Machines.xml(name));
        for (TopologyObject object : all(machine)) {
            assertThat(ObjectType.named(object.typeName()))
                    .as(object.toString())
                    .contains(object.type());
            assertThat(ObjectType.named(object.type().hwlocName())).contains(object.type());
            assertThat(machine.objects(object.typeName())).as(object.typeName()).contains(object);
        }
        assertThat(ObjectType.named("L9Cache")).isEmpty();
        assertThat(ObjectType.named("group-1")).isEmpty();
        assertThatThrownBy(() -> machine.objects("nonsense")).hasMessageContaining("no kind of object");
    }

    @ParameterizedTest
    @MethodSource("machines")
    void depthsAreConsistent(String name) {
        Topology machine = TopologyXml.parse(Machines.xml(name));
        for (int depth = 0; depth < machine.depth(); depth++) {
            ObjectType type = machine.levelType(depth);
            assertThat(machine.depths(type)).contains(depth);
            assertThat(machine.level(depth)).allMatch(object -> object.type() == type);
            if (machine.depths(type).size() == 1) {
                assertThat(machine.depthOrBelow(type)).isEqualTo(depth);
                assertThat(machine.depthOrAbove(type)).isEqualTo(depth);
            }
        }
        for (ObjectType type : ObjectType.values()) {
            if (type.isNormal() && machine.depths(type).isEmpty()) {
                int below = machine.depthOrBelow(type);
                int above = machine.depthOrAbove(type);
                assertThat(machine.levelType(below).compareDepth(type).getAsInt())
                        .as(type + " below")
                        .isPositive();
                assertThat(machine.levelType(above).compareDepth(type).getAsInt())
                        .as(type + " above")
                        .isNegative();
            } else if (!type.isNormal()) {
                assertThat(machine.depths(type)).isEmpty();
                assertThatThrownBy(() -> machine.depthOrAbove(type)).isInstanceOf(IllegalArgumentException.class);
            }
        }
        for (TopologyObject cache : machine.objects(ObjectType.L2_CACHE)) {
            assertThat(machine.cacheDepth(2, ObjectAttributes.CacheKind.DATA)).hasValue(cache.depth());
        }
        assertThat(machine.cacheDepth(9, ObjectAttributes.CacheKind.UNIFIED)).isEmpty();
        machine.memoryParentsDepth()
                .ifPresent(depth -> assertThat(machine.level(depth))
                        .anyMatch(object -> !object.memoryChildren().isEmpty()));
    }

    @ParameterizedTest
    @MethodSource("machines")
    void objectsInsideAndBelowAreThoseOfHwlocCalc(String name) {
        Path calc = Tool.require("hwloc-calc");
        Topology machine = TopologyXml.parse(Machines.xml(name));
        Random random = new Random(RandomSeed.next("objects of " + name));
        List<TopologyObject> packages = machine.objects(ObjectType.PACKAGE);
        assumeTrue(!packages.isEmpty() && machine.count(ObjectType.CORE) > 0, "no packages or no cores");
        int some = random.nextInt(packages.size());
        List<TopologyObject> cores = machine.below(packages.get(some), ObjectType.CORE);
        if (!cores.isEmpty()) {
            int core = random.nextInt(cores.size());
            String theirs = HwlocTools.run(calc, Machines.xml(name), "package:" + some + ".core:" + core)
                    .strip();
            assertThat(cores.get(core).cpuSet().toMaskString()).isEqualTo(theirs);
            int depth = cores.get(0).depth();
            assertThat(machine.objectsInside(packages.get(some).cpuSet(), depth))
                    .isEqualTo(cores);
            assertThat(machine.objectsIntersecting(packages.get(some).cpuSet(), depth))
                    .isEqualTo(cores);
            assertThat(cores.get(core).ancestor(packages.get(some).depth())).contains(packages.get(some));
            assertThat(machine.root()
                            .childCovering(cores.get(core).cpuSet())
                            .orElseThrow()
                            .cpuSet())
                    .matches(cpus -> cpus.containsAll(cores.get(core).cpuSet()));
        }
        assertThat(machine.root().childCovering(CpuSet.empty())).isEmpty();
        assertThat(machine.root().ancestor(0)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void localNodesAreThoseOfHwlocCalc(String name) {
        Path calc = Tool.require("hwloc-calc");
        Topology machine = TopologyXml.parse(Machines.xml(name));
        for (TopologyObject node : machine.objects(ObjectType.NUMA_NODE)) {
            if (node.cpuSet().isEmpty()) {
                continue;
            }
            String mask = node.cpuSet().toMaskString();
            String theirs = HwlocTools.run(calc, Machines.xml(name), mask, "--local-memory")
                    .strip();
            List<TopologyObject> ours =
                    machine.localNumaNodes(node.cpuSet(), NodeLocality.LARGER, NodeLocality.SMALLER);
            assertThat(ours.stream().map(local -> "" + local.logicalIndex())).containsExactly(theirs.split(",", -1));
            assertThat(machine.localNumaNodes(node.cpuSet())).contains(node);
            assertThat(machine.localNumaNodes(node.cpuSet().singlify(), NodeLocality.INTERSECTING))
                    .contains(node);
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void levelsAndObjectsAreThoseOfHwlocInfo(String name) {
        Path info = Tool.require("hwloc-info");
        String[] everything = {"--filter", "all:all", "--disallowed"};
        String xml = Machines.xml(name);
        Topology machine = TopologyXml.parse(xml);
        List<String> levels = HwlocTools.run(info, xml, everything)
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("depth "))
                .map(line -> line.replaceAll("depth (\\d+): +(\\d+) .*\\(type #.*", "$1 $2"))
                .toList();
        List<String> ours = IntStream.range(0, machine.depth())
                .mapToObj(depth -> depth + " " + machine.level(depth).size())
                .toList();
        assertThat(ours).isEqualTo(levels);
        Random random = new Random(RandomSeed.next("objects of hwloc-info of " + name));
        for (ObjectType type :
                new ObjectType[] {ObjectType.PACKAGE, ObjectType.CORE, ObjectType.PU, ObjectType.NUMA_NODE}) {
            if (machine.count(type) > 0) {
                int index = random.nextInt(machine.count(type));
                TopologyObject object = machine.object(type, index).orElseThrow();
                List<String> told = HwlocTools.run(
                                info, xml, "--filter", "all:all", "--disallowed", type.hwlocName() + ":" + index)
                        .lines()
                        .map(String::strip)
                        .toList();
                assertThat(told)
                        .as(object.toString())
                        .contains(
                                "type = " + type.hwlocName(),
                                "gp index = " + object.globalIndex(),
                                "children = " + object.children().size(),
                                "memory children = " + object.memoryChildren().size(),
                                "i/o children = " + object.ioChildren().size(),
                                "misc children = " + object.miscChildren().size(),
                                "cpuset = " + object.cpuSet().toMaskString(),
                                "complete cpuset = " + object.completeCpuSet().toMaskString(),
                                "nodeset = " + object.nodeSet().toMaskString(),
                                "complete nodeset = " + object.completeNodeSet().toMaskString());
            }
        }
    }

    @Test
    void devicesAreFoundByEveryNameThatTheyHave() {
        Topology machine = TopologyXml.parse(Machines.xml("32em64t-2n8c+1mic"));
        TopologyObject card = machine.device("0000:02:00.0").orElseThrow();
        assertThat(machine.device("02:00.0")).contains(card);
        assertThat(machine.pciDevice(0, 2, 0, 0)).contains(card);
        assertThat(machine.pciDevice(0, 2, 0, 7)).isEmpty();
        TopologyObject disk = machine.objects("Block").get(0);
        String name = disk.name().orElseThrow();
        assertThat(machine.device("/dev/" + name)).contains(disk);
        assertThat(machine.device("/dev/" + name + "p2")).as("a partition").contains(disk);
        assertThat(machine.device("/sys/class/block/" + name)).contains(disk);
        assertThat(machine.device("/sys/bus/pci/devices/0000:02:00.0")).contains(card);
        assertThat(machine.device("/sys/bus/pci/devices/0000:02:00.0/")).contains(card);
        assertThat(machine.device("/dev/sda1")).isEqualTo(machine.device("sda"));
        for (String absent : new String[] {"", "/", "/dev/", "/dev/sdz9", "/home/eth0x", "7"}) {
            assertThat(machine.device(absent)).as(absent).isEmpty();
        }
        TopologyObject net = machine.objects("Net").stream()
                .filter(device -> device.parent().orElseThrow() == card)
                .findFirst()
                .orElseThrow();
        assertThat(machine.withSameLocality(net, ObjectType.PCI_DEVICE)).containsExactly(card);
        assertThat(machine.withSameLocality(card, ObjectType.OS_DEVICE)).contains(net);
        assertThat(machine.withSameLocality(card, ObjectType.PU)).isEmpty();
        TopologyObject bridge = card.parent().orElseThrow();
        assertThat(bridge.attributes()).isInstanceOf(ObjectAttributes.Bridge.class);
        ObjectAttributes.Bridge own = (ObjectAttributes.Bridge) bridge.attributes();
        assertThat(own.covers(0, 2)).isTrue();
        assertThat(own.covers(0, 3)).isFalse();
        assertThat(own.covers(1, 2)).isFalse();
        assertThat(machine.objects("HostBridge"))
                .allMatch(host -> ((ObjectAttributes.Bridge) host.attributes()).pci() == null);
        assertThat(machine.objects("PCIBridge")).contains(bridge);
    }

    @Test
    void thingsAtTheSamePlace() {
        Topology machine = TopologyXml.parse(Machines.xml("16em64t-4s2c2t"));
        TopologyObject core = machine.object(ObjectType.CORE, 5).orElseThrow();
        for (ObjectType type : new ObjectType[] {ObjectType.CORE, ObjectType.L1_CACHE, ObjectType.L2_CACHE}) {
            assertThat(machine.withSameLocality(core, type))
                    .allMatch(same -> same.cpuSet().equals(core.cpuSet()));
        }
        assertThat(machine.withSameLocality(core, ObjectType.CORE)).containsExactly(core);
        assertThat(machine.withSameLocality(core, ObjectType.PU)).isEmpty();
    }

    @Test
    void typesAreOrderedFromTheMachineToThePu() {
        assertThat(ObjectType.MACHINE.compareDepth(ObjectType.PU)).hasValue(-1);
        assertThat(ObjectType.PU.compareDepth(ObjectType.CORE)).hasValue(1);
        assertThat(ObjectType.L2_CACHE.compareDepth(ObjectType.L1_CACHE)).hasValue(-1);
        assertThat(ObjectType.GROUP.compareDepth(ObjectType.PACKAGE)).hasValue(-1);
        assertThat(ObjectType.CORE.compareDepth(ObjectType.CORE)).hasValue(0);
        assertThat(ObjectType.CORE.compareDepth(ObjectType.NUMA_NODE)).isEmpty();
        assertThat(ObjectType.MACHINE.compareDepth(ObjectType.MISC)).hasValue(-1);
        assertThat(ObjectType.NUMA_NODE.compareDepth(ObjectType.MEMORY_CACHE)).hasValue(1);
    }
}
