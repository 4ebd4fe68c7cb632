package org.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.machines.RandomMachine;
import org.berth.machines.RandomSeed;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds on every machine, recorded or made up. */
class TopologyInvariantsTest {
    static Stream<String> machines() {
        return Stream.concat(Machines.names().stream(), Machines.literature().stream());
    }

    @ParameterizedTest
    @MethodSource("machines")
    void holdOnRecordedMachines(String name) {
        check(TopologyXml.parse(Machines.xml(name)));
    }

    @Test
    void holdOnRandomMachines() {
        long seed = RandomSeed.next("invariants");
        for (int i = 0; i < 150; i++) {
            try {
                check(TopologyXml.parse(RandomMachine.xml(seed + i)));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("on the machine of seed " + (seed + i), e);
            }
        }
    }

    @Test
    void holdOnAMachineWith2048Pus() {
        Topology machine = TopologyXml.parse(RandomMachine.regular(8, 128, 2));
        assertThat(machine.count(ObjectType.PU)).isEqualTo(2048);
        check(machine);
    }

    private static void check(Topology machine) {
        List<TopologyObject> all = new ArrayList<>();
        collect(machine.root(), all);
        for (ObjectType type : ObjectType.values()) {
            assertThat(machine.objects(type))
                    .containsExactlyInAnyOrderElementsOf(
                            all.stream().filter(object -> object.type() == type).toList());
        }
        checkLevels(machine);
        all.forEach(object -> checkObject(machine, object));
        checkLookups(machine);
    }

    private static void checkLevels(Topology machine) {
        assertThat(machine.level(0)).containsExactly(machine.root());
        for (int depth = 0; depth < machine.depth(); depth++) {
            List<TopologyObject> level = machine.level(depth);
            CpuSet covered = CpuSet.empty();
            for (int i = 0; i < level.size(); i++) {
                TopologyObject object = level.get(i);
                assertThat(object.logicalIndex()).isEqualTo(i);
                assertThat(object.depth()).isEqualTo(depth);
                assertThat(object.type()).isEqualTo(level.get(0).type());
                assertThat(covered.intersects(object.cpuSet())).isFalse();
                covered = covered.union(object.cpuSet());
            }
        }
        assertThat(machine.level(machine.depth() - 1)).isEqualTo(machine.objects(ObjectType.PU));
        assertThat(machine.objects(ObjectType.PU).stream()
                        .map(TopologyObject::cpuSet)
                        .reduce(CpuSet.empty(), CpuSet::union)
                        .toString())
                .isEqualTo(machine.cpuSet().toString());
        assertThat(machine.cpuSet().containsAll(machine.allowedCpuSet())).isTrue();
        assertThat(machine.nodeSet().containsAll(machine.allowedNodeSet())).isTrue();
    }

    private static void checkObject(Topology machine, TopologyObject object) {
        for (TopologyObject child : object.children()) {
            assertThat(child.parent()).containsSame(object);
            assertThat(object.cpuSet().containsAll(child.cpuSet())).isTrue();
            assertThat(child.depth()).isGreaterThan(object.depth());
            assertThat(child.isWithin(object)).isTrue();
            assertThat(child.commonAncestor(object)).isSameAs(object);
        }
        if (object.type().isNormal()) {
            NodeSet near = NodeSet.empty();
            for (TopologyObject node : machine.objects(ObjectType.NUMA_NODE)) {
                near = node.cpuSet().intersects(object.cpuSet()) ? near.with(node.osIndex()) : near;
            }
            assertThat(machine.nodesNear(object.cpuSet()).toString()).isEqualTo(near.toString());
            assertThat(object.nodeSet().containsAll(near)).isTrue();
            checkCovering(machine, object);
        }
    }

    private static void checkCovering(Topology machine, TopologyObject object) {
        if (object.cpuSet().isEmpty()) {
            assertThat(machine.covering(object.cpuSet())).isEmpty();
            return;
        }
        TopologyObject covering = machine.covering(object.cpuSet()).orElseThrow();
        assertThat(covering.cpuSet().equals(object.cpuSet())).isTrue();
        assertThat(covering.isWithin(object)).isTrue();
        List<TopologyObject> largest = machine.largestObjectsInside(object.cpuSet());
        assertThat(largest).hasSize(1);
        assertThat(object.isWithin(largest.get(0))).isTrue();
    }

    private static void checkLookups(Topology machine) {
        for (TopologyObject pu : machine.objects(ObjectType.PU)) {
            assertThat(machine.pu(pu.osIndex())).containsSame(pu);
            assertThat(machine.object(ObjectType.PU, pu.logicalIndex())).containsSame(pu);
        }
        for (TopologyObject node : machine.objects(ObjectType.NUMA_NODE)) {
            assertThat(machine.numaNode(node.osIndex())).containsSame(node);
            assertThat(machine.cpusNear(node.nodeSet()).equals(node.cpuSet())).isTrue();
        }
        assertThat(machine.pu(-1)).isEmpty();
        assertThat(machine.pu(Integer.MAX_VALUE)).isEmpty();
        assertThat(machine.pu(machine.cpuSet().complement().first())).isEmpty();
        for (TopologyObject device : machine.devices()) {
            TopologyObject near = machine.locality(device).near();
            assertThat(near.type().isNormal()).isTrue();
            assertThat(device.isWithin(near)).isTrue();
        }
    }

    private static void collect(TopologyObject object, List<TopologyObject> all) {
        all.add(object);
        object.children().forEach(child -> collect(child, all));
        object.memoryChildren().forEach(child -> collect(child, all));
        object.ioChildren().forEach(child -> collect(child, all));
        object.miscChildren().forEach(child -> collect(child, all));
    }
}
