package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.berth.binding.discovery.Discovery;
import org.berth.topology.CpuKind;
import org.berth.topology.CpuSet;
import org.berth.topology.Distances;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.edit.RestrictOption;
import org.berth.topology.edit.TopologyEditor;
import org.berth.topology.synthetic.TopologySynthetic;
import org.berth.topology.synthetic.TopologySynthetic.Option;
import org.berth.topology.type.ObjectType;
import org.junit.jupiter.api.Test;

/**
 * What hwloc's own unit tests check (tests/hwloc/*.c, BSD licence), on the same synthetic machines, written anew for this
 * model. The name of a method here is the name of the file there.
 */
class HwlocUnitChecksTest {
    private static TopologyObject at(Topology machine, ObjectType type, int index) {
        return machine.object(type, index).orElseThrow();
    }

    @Test
    void typeDepth() {
        Topology machine = Discovery.synthetic("group:2 group:2 core:3 l3:2 l1:2 2");
        assertThat(IntStream.range(0, machine.depth()).mapToObj(machine::levelType))
                .containsExactly(
                        ObjectType.MACHINE,
                        ObjectType.GROUP,
                        ObjectType.GROUP,
                        ObjectType.CORE,
                        ObjectType.L3_CACHE,
                        ObjectType.L1_CACHE,
                        ObjectType.PU);
        assertThat(machine.depths(ObjectType.PACKAGE)).isEmpty();
        assertThat(machine.depthOrAbove(ObjectType.PACKAGE)).isEqualTo(2);
        assertThat(machine.depthOrBelow(ObjectType.PACKAGE)).isEqualTo(3);
        assertThat(machine.depths(ObjectType.GROUP)).containsExactly(1, 2);
        assertThat(machine.depths(ObjectType.L3_CACHE)).containsExactly(4);
        assertThat(machine.depths(ObjectType.NUMA_NODE)).isEmpty();
        assertThat(machine.memoryParentsDepth()).hasValue(0);
        assertThatThrownBy(() -> machine.levelType(123)).isInstanceOf(IndexOutOfBoundsException.class);
        for (ObjectType type : ObjectType.values()) {
            int sorts = (type.isNormal() ? 1 : 0) + (type.isMemory() ? 1 : 0) + (type.isIo() ? 1 : 0);
            assertThat(sorts).as(type.toString()).isEqualTo(type == ObjectType.MISC ? 0 : 1);
        }
    }

    @Test
    void getClosestObjs() {
        Topology machine = Discovery.synthetic("2 3 4 5");
        List<TopologyObject> pus = machine.objects(ObjectType.PU);
        TopologyObject last = pus.get(pus.size() - 1);
        List<TopologyObject> closest = machine.closest(last);
        int found = closest.size();
        assertThat(found).isEqualTo(pus.size() - 1);
        assertThat(closest.get(0)).isEqualTo(pus.get(pus.size() - 5));
        assertThat(closest.get(found - 1)).isEqualTo(pus.get(3 * 4 * 5 - 1));
        assertThat(closest.get(found / 2 - 1)).isEqualTo(pus.get(3 * 4 * 5 + 2 * 4 * 5 - 1));
        assertThat(closest.get(found / 2 / 3 - 1)).isEqualTo(pus.get(3 * 4 * 5 + 2 * 4 * 5 + 3 * 5 - 1));
        TopologyObject ancestor = last.commonAncestor(closest.get(found - 1));
        assertThat(ancestor).isEqualTo(machine.root());
        assertThat(last.isWithin(ancestor)).isTrue();
        assertThat(closest.get(found - 1).isWithin(ancestor)).isTrue();
    }

    @Test
    void getObjBelowArrayByType() {
        Topology machine = Discovery.synthetic("numa:1 pack:3 l2:3 core:3 pu:3");
        TopologyObject pack = at(machine, ObjectType.PACKAGE, 0);
        TopologyObject l2 = machine.below(pack, ObjectType.L2_CACHE).get(0);
        TopologyObject core = machine.below(l2, ObjectType.CORE).get(0);
        assertThat(machine.below(core, ObjectType.PU).get(0)).isEqualTo(at(machine, ObjectType.PU, 0));
        TopologyObject lastL2 = machine.below(at(machine, ObjectType.PACKAGE, 2), ObjectType.L2_CACHE)
                .get(2);
        assertThat(machine.below(lastL2, ObjectType.CORE).get(2)).isEqualTo(at(machine, ObjectType.CORE, 26));
        assertThat(machine.below(at(machine, ObjectType.PACKAGE, 2), ObjectType.CORE)
                        .get(2))
                .isEqualTo(at(machine, ObjectType.CORE, 20));
        assertThat(machine.below(at(machine, ObjectType.L2_CACHE, 1), ObjectType.PU)
                        .get(1))
                .isEqualTo(at(machine, ObjectType.PU, 10));
    }

    @Test
    void getSharedCacheCoveringObj() {
        Topology shared = Discovery.synthetic("numa:1 group:6 pack:5 l2:4 core:3 pu:2");
        TopologyObject pu = shared.level(5).get(180);
        TopologyObject cache = pu.sharedCache().orElseThrow();
        assertThat(cache.type().isDataCache()).isTrue();
        assertThat(cache.logicalIndex()).isEqualTo(180 / 2 / 3);
        assertThat(pu.isWithin(cache)).isTrue();
        assertThat(at(shared, ObjectType.L2_CACHE, 0).sharedCache()).isEmpty();
        assertThat(at(shared, ObjectType.NUMA_NODE, 0).sharedCache()).isEmpty();
        Topology own = Discovery.synthetic("numa:1 group:6 pack:5 l2:4 core:1 pu:2");
        assertThat(own.objects(ObjectType.PU)
                        .get(180)
                        .sharedCache()
                        .orElseThrow()
                        .logicalIndex())
                .isEqualTo(180 / 2);
        assertThat(own.objects(ObjectType.CORE).get(90).sharedCache()).isEmpty();
    }

    @Test
    void getCacheCoveringCpuset() {
        Topology machine = Discovery.synthetic("numa:6 pack:5 l2:4 core:3 pu:2");
        CpuSet one = at(machine, ObjectType.PU, 180).cpuSet();
        CpuSet near = at(machine, ObjectType.PU, 183).cpuSet();
        CpuSet far = at(machine, ObjectType.PU, 300).cpuSet();
        assertThat(machine.coveringCache(one).orElseThrow().logicalIndex()).isEqualTo(30);
        assertThat(machine.coveringCache(one.union(near)).orElseThrow().logicalIndex())
                .isEqualTo(30);
        assertThat(machine.coveringCache(one.union(far))).isEmpty();
        assertThat(machine.coveringCache(at(machine, ObjectType.PACKAGE, 0).cpuSet()))
                .isEmpty();
    }

    @Test
    void getLargestObjsInsideCpuset() {
        Topology machine = Discovery.synthetic("numa:6 pack:5 l2:4 core:3 pu:2");
        int pus = machine.count(ObjectType.PU);
        TopologyObject first = at(machine, ObjectType.PU, 0);
        TopologyObject last = at(machine, ObjectType.PU, pus - 1);
        assertThat(machine.largestObjectsInside(machine.cpuSet())).containsExactly(machine.root());
        assertThat(machine.largestObjectsInside(last.cpuSet())).containsExactly(last);
        assertThat(machine.largestObjectsInside(CpuSet.empty())).isEmpty();
        assertThat(machine.largestObjectsInside(CpuSet.of(pus + 16))).isEmpty();
        assertThat(machine.largestObjectsInside(CpuSet.of(0, pus - 1))).containsExactly(first, last);
        assertThat(machine.largestObjectsInside(CpuSet.parseMask("07ff,ffffffff,e0000000")))
                .containsExactly(
                        at(machine, ObjectType.PU, 29),
                        at(machine, ObjectType.L2_CACHE, 5),
                        at(machine, ObjectType.L2_CACHE, 6),
                        at(machine, ObjectType.L2_CACHE, 7),
                        at(machine, ObjectType.PACKAGE, 2),
                        at(machine, ObjectType.CORE, 36),
                        at(machine, ObjectType.PU, 74));
    }

    @Test
    void getObjCoveringCpuset() {
        Topology machine = Discovery.synthetic("6 5 4 3 2");
        assertThat(machine.covering(CpuSet.parseMask("0x0,0x0fff,0xf0000000"))
                        .orElseThrow()
                        .cpuSet())
                .isEqualTo(CpuSet.parseMask("0x0000ffff,0xff000000"));
        assertThat(machine.covering(CpuSet.of(0, 719))).contains(machine.root());
        assertThat(machine.covering(CpuSet.of(736))).isEmpty();
    }

    @Test
    void getNextObjCoveringCpuset() {
        Topology machine = Discovery.synthetic("pack:8 core:2 1");
        assertThat(machine.objectsIntersecting(CpuSet.parseMask("00008f18"), ObjectType.PACKAGE).stream()
                        .map(TopologyObject::logicalIndex))
                .containsExactly(1, 2, 4, 5, 7);
        Topology nodes = Discovery.synthetic("node:2 pack:5 core:3 4");
        int depth = nodes.depths(ObjectType.PACKAGE).get(0);
        assertThat(depth).isEqualTo(2);
        assertThat(nodes.objectsIntersecting(CpuSet.parseMask("0ff08000"), depth).stream()
                        .map(TopologyObject::logicalIndex))
                .containsExactly(1, 2);
    }

    @Test
    void getObjInsideCpuset() {
        Topology machine = Discovery.synthetic("node:2 pack:3 l2:4 core:5 6");
        assertThat(machine.objectsInside(machine.cpuSet(), ObjectType.MACHINE)).containsExactly(machine.root());
        CpuSet firstPackage = at(machine, ObjectType.PACKAGE, 0).cpuSet();
        assertThat(machine.objectsInside(firstPackage, ObjectType.CORE)).hasSize(20);
        assertThat(machine.objectsInside(firstPackage, ObjectType.NUMA_NODE)).isEmpty();
        CpuSet lastNode = at(machine, ObjectType.NUMA_NODE, 1).cpuSet();
        assertThat(machine.objectsInside(lastNode, ObjectType.L2_CACHE)).hasSize(12);
        CpuSet secondPackage = at(machine, ObjectType.PACKAGE, 1).cpuSet();
        assertThat(machine.objectsInside(secondPackage, ObjectType.PU).get(0))
                .isEqualTo(at(machine, ObjectType.PU, 4 * 5 * 6));
        CpuSet third = at(machine, ObjectType.PACKAGE, 2).cpuSet();
        TopologyObject core = at(machine, ObjectType.CORE, 2 * 4 * 5 + 2);
        assertThat(machine.objectsInside(third, ObjectType.CORE).indexOf(core)).isEqualTo(2);
        assertThat(machine.objectsInside(lastNode, ObjectType.PACKAGE).get(0))
                .isEqualTo(at(machine, ObjectType.PACKAGE, 3));
    }

    @Test
    void cpusetNodeset() {
        Topology machine = Discovery.synthetic("pack:2 [numa] l3:2 [numa] pu:2");
        assertThat(machine.nodesNear(CpuSet.empty()).isEmpty()).isTrue();
        assertThat(machine.cpusNear(NodeSet.empty()).isEmpty()).isTrue();
        assertThat(machine.nodesNear(machine.cpuSet())).isEqualTo(machine.nodeSet());
        assertThat(machine.cpusNear(machine.nodeSet())).isEqualTo(machine.cpuSet());
        assertThat(machine.nodesNear(CpuSet.range(1, 2))).isEqualTo(NodeSet.of(0, 1, 2));
        assertThat(machine.cpusNear(NodeSet.of(3, 5))).isEqualTo(CpuSet.range(4, 7));
        Topology less = TopologyEditor.of(machine)
                .restrictTo(machine.cpuSet().withoutRange(6, 7))
                .restrictTo(machine.nodeSet().without(0).without(2))
                .build();
        assertThat(less.nodesNear(CpuSet.empty()).isEmpty()).isTrue();
        assertThat(less.nodesNear(less.cpuSet())).isEqualTo(NodeSet.of(1, 3, 5).intersection(less.nodeSet()));
        assertThat(less.cpusNear(less.nodeSet())).isEqualTo(CpuSet.range(2, 5));
    }

    @Test
    void synthetic() {
        Topology machine = Discovery.synthetic("pack:2 numa:3 l2:4 core:5 pu:6");
        assertThat(IntStream.range(0, machine.depth())
                        .map(depth -> machine.level(depth).size()))
                .containsExactly(1, 2, 6, 24, 120, 720);
        assertThat(machine.memoryParentsDepth()).hasValue(2);
        assertThat(TopologySynthetic.write(machine))
                .isEqualTo("Package:2 Group:3 [NUMANode(memory=1073741824)] L2Cache:4(size=4194304) Core:5 PU:6");
        assertThat(TopologySynthetic.write(machine, Option.NO_ATTRIBUTES))
                .isEqualTo("Package:2 Group:3 [NUMANode] L2Cache:4 Core:5 PU:6");
        for (String description : new String[] {
            "[NUMANode(memory=1073741824)] Package:2 Core:2 PU:2(indexes=4*2:2*2:1*2)",
            "Package:2 Core:2 [NUMANode(memory=1073741824)] PU:2(indexes=0,4,2,6,1,3,5,7)",
            "Package:2 [NUMANode(memory=1073741824)] [NUMANode(memory=1048576)] Core:2"
                    + " [NUMANode(memory=1073741824 indexes=8,7,5,6,4,3,1,2)] PU:4"
        }) {
            assertThat(TopologySynthetic.write(Discovery.synthetic(description)))
                    .isEqualTo(description);
        }
        Topology several = Discovery.synthetic("pack:2 [numa(memory=1GiB)] core:2 [numa] pu:4");
        assertThat(several.memoryParentsDepth()).isEmpty();
    }

    @Test
    void groups() {
        Topology machine = Discovery.synthetic("pack:4 [numa] pu:4");
        List<TopologyObject> packages = machine.objects(ObjectType.PACKAGE);
        assertThat(machine.depth()).isEqualTo(3);
        assertThatThrownBy(() -> TopologyEditor.of(machine).addGroup(CpuSet.empty(), "empty"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(TopologyEditor.of(machine)
                        .addGroup(machine.cpuSet(), "same")
                        .build()
                        .depth())
                .isEqualTo(3);
        assertThat(TopologyEditor.of(machine)
                        .addGroup(packages.get(1).cpuSet(), "same")
                        .build()
                        .depth())
                .isEqualTo(3);
        assertThatThrownBy(() -> TopologyEditor.of(machine).addGroup(CpuSet.of(1, 12), "across"))
                .isInstanceOf(IllegalArgumentException.class);
        Topology grouped = TopologyEditor.of(machine)
                .addGroup(packages.subList(1, 3), "first")
                .addGroup(packages.subList(1, 3), "again")
                .build();
        assertThat(grouped.depth()).isEqualTo(4);
        assertThat(grouped.objects(ObjectType.GROUP)).singleElement().satisfies(group -> {
            assertThat(group.subtype()).contains("first");
            assertThat(group.children()).hasSize(2);
            assertThat(group.nodeSet()).isEqualTo(NodeSet.of(1, 2));
        });
    }

    /** hwloc makes groups of the matrices here; ours are made by hand. */
    @Test
    void topologyRestrict() {
        Topology plain = Discovery.synthetic("node:3 core:2 pu:4");
        List<TopologyObject> nodes = plain.objects(ObjectType.NUMA_NODE);
        List<TopologyObject> cores = plain.objects(ObjectType.CORE);
        long kind = Distances.FROM_USER | Distances.MEANS_LATENCY;
        Topology machine = TopologyEditor.of(plain)
                .addDistances("", kind, nodes, matrix(3, 10, 20))
                .addDistances("", kind, cores, matrix(6, 4, 8))
                .build();
        check(machine, 3, 6, 24, true);
        TopologyEditor editor = TopologyEditor.of(machine);
        assertThatThrownBy(() -> editor.restrictTo(CpuSet.empty())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> editor.restrictTo(CpuSet.of(24))).isInstanceOf(IllegalArgumentException.class);
        check(editor.build(), 3, 6, 24, true);
        check(editor.restrictTo(CpuSet.full()).build(), 3, 6, 24, true);
        check(editor.restrictTo(CpuSet.allBut(13)).build(), 3, 6, 23, true);
        check(editor.restrictTo(CpuSet.range(4, 7).complement()).build(), 3, 5, 19, true);
        Topology threeCores =
                editor.restrictTo(CpuSet.range(16, 23).complement()).build();
        check(threeCores, 3, 3, 11, true);
        Topology few = TopologyEditor.of(threeCores)
                .restrictTo(CpuSet.of(0, 3, 15), RestrictOption.REMOVE_CPULESS)
                .build();
        check(few, 2, 2, 3, true);
        Topology step =
                TopologyEditor.of(threeCores).restrictTo(CpuSet.of(0, 3, 15)).build();
        check(step, 3, 2, 3, true);
        check(
                TopologyEditor.of(step)
                        .restrictTo(CpuSet.of(0, 3, 15), RestrictOption.REMOVE_CPULESS)
                        .build(),
                2,
                2,
                3,
                true);
        assertThatThrownBy(() -> TopologyEditor.of(few).restrictTo(CpuSet.range(16, 23)))
                .isInstanceOf(IllegalArgumentException.class);

        TopologyEditor byNodes = TopologyEditor.of(plain).restrictTo(NodeSet.range(1, 2));
        check(byNodes.build(), 2, 6, 24, false);
        check(byNodes.restrictTo(NodeSet.range(1, 2)).build(), 2, 6, 24, false);
        check(byNodes.restrictTo(NodeSet.of(1), RestrictOption.REMOVE_MEMLESS).build(), 1, 2, 8, false);
        assertThatThrownBy(() -> byNodes.restrictTo(CpuSet.full(), RestrictOption.REMOVE_MEMLESS))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> byNodes.restrictTo(NodeSet.full(), RestrictOption.REMOVE_CPULESS))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static long[] matrix(int size, int own, int other) {
        return IntStream.range(0, size * size)
                .mapToLong(i -> i % (size + 1) == 0 ? own : other)
                .toArray();
    }

    private static void check(Topology machine, int nodes, int cores, int pus, boolean matrices) {
        assertThat(machine.count(ObjectType.NUMA_NODE)).isEqualTo(nodes);
        assertThat(machine.count(ObjectType.CORE)).isEqualTo(cores);
        assertThat(machine.count(ObjectType.PU)).isEqualTo(pus);
        assertThat(machine.root().totalMemoryBytes()).isEqualTo(nodes * (1L << 30));
        if (matrices) {
            assertThat(machine.distances(ObjectType.NUMA_NODE)).singleElement().satisfies(matrix -> {
                assertThat(matrix.objects()).hasSize(nodes);
                assertThat(matrix.value(0, 0)).isEqualTo(10);
                assertThat(matrix.value(0, 1)).isEqualTo(20);
            });
            assertThat(machine.distances(ObjectType.CORE))
                    .singleElement()
                    .satisfies(matrix -> assertThat(matrix.objects()).hasSize(cores));
        }
    }

    @Test
    void topologyRestrictKeepsTheOrderOfChildren() {
        Topology turned = Discovery.synthetic("node:1 core:2 pu:2(indexes=0,2,1,3)");
        Topology halves =
                TopologyEditor.of(turned).restrictTo(CpuSet.range(1, 2)).build();
        assertThat(halves.objects(ObjectType.PU).stream().map(TopologyObject::osIndex))
                .containsExactly(1, 2);
        Topology memory = Discovery.synthetic("pack:2 l3:2 numa:1 pu:1(indexes=0,2,1,3)");
        Topology left = TopologyEditor.of(memory)
                .restrictTo(NodeSet.range(1, 2), RestrictOption.REMOVE_MEMLESS)
                .build();
        assertThat(left.objects(ObjectType.PU).stream().map(TopologyObject::osIndex))
                .containsExactly(1, 2);
    }

    @Test
    void distances() {
        Topology plain = Discovery.synthetic("node:4 core:4 pu:1");
        assertThat(plain.distances()).isEmpty();
        long[] values = {
            1, 4, 8, 8, //
            4, 1, 8, 8, //
            8, 8, 1, 4, //
            8, 8, 4, 1
        };
        Topology told = TopologyEditor.of(plain)
                .addDistances(
                        "", Distances.FROM_USER | Distances.MEANS_LATENCY, plain.objects(ObjectType.NUMA_NODE), values)
                .build();
        for (int depth = 0; depth < told.depth(); depth++) {
            assertThat(told.distances(depth)).isEmpty();
        }
        Distances matrix = told.distances(ObjectType.NUMA_NODE).get(0);
        List<TopologyObject> nodes = told.objects(ObjectType.NUMA_NODE);
        assertThat(matrix.kind()).isEqualTo(6);
        assertThat(matrix.indexOf(nodes.get(2))).hasValue(2);
        assertThat(matrix.value(nodes.get(1), nodes.get(2))).isEqualTo(8);
        assertThat(matrix.value(nodes.get(2), nodes.get(3))).isEqualTo(4);
        TopologyObject pu = at(told, ObjectType.PU, 0);
        assertThat(matrix.indexOf(pu)).isEmpty();
        assertThatThrownBy(() -> matrix.value(pu, nodes.get(0))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void cpukinds() {
        Topology plain = Discovery.synthetic("pack:4 core:3 pu:1");
        TopologyEditor editor = TopologyEditor.of(plain);
        assertThat(plain.cpuKinds()).isEmpty();
        assertThat(plain.cpuKind(3)).isEmpty();
        assertThatThrownBy(() -> editor.addCpuKind(CpuSet.empty(), 0, Map.of()))
                .isInstanceOf(IllegalArgumentException.class);
        Map<String, String> big = Map.of("CoreType", "BigCore");
        Map<String, String> small = Map.of("CoreType", "SmallCore");
        Topology two = editor.addCpuKind(CpuSet.range(0, 5), 1000, big)
                .addCpuKind(CpuSet.range(6, 8), 10, small)
                .build();
        assertThat(two.cpuKinds())
                .containsExactly(
                        new CpuKind(0, CpuSet.range(6, 8), 10, small), new CpuKind(1, CpuSet.range(0, 5), 1000, big));
        assertThat(two.cpuKinds(CpuSet.range(1, 3)))
                .containsExactly(two.cpuKinds().get(1));
        assertThat(two.cpuKinds(CpuSet.range(5, 6))).hasSize(2);
        assertThat(two.cpuKinds(CpuSet.range(9, 11))).isEmpty();
        Topology four = TopologyEditor.of(two)
                .addCpuKind(CpuSet.range(5, 10), -1, Map.of("Features", "this, that and those"))
                .build();
        assertThat(four.cpuKinds().stream().map(CpuKind::efficiency))
                .containsOnly(-1)
                .hasSize(4);
        assertThat(sets(four)).containsExactlyInAnyOrder("6-8", "0-4", "5", "9-10");
        assertThat(four.cpuKind(5).orElseThrow().infos())
                .containsExactlyInAnyOrderEntriesOf(Map.of("CoreType", "BigCore", "Features", "this, that and those"));
        Topology forced = TopologyEditor.of(four)
                .addCpuKind(CpuSet.range(0, 4), 1000, Map.of())
                .addCpuKind(CpuSet.of(5), 100, Map.of())
                .addCpuKind(CpuSet.range(6, 8), 10, Map.of())
                .addCpuKind(CpuSet.range(9, 10), 1, Map.of())
                .build();
        assertThat(sets(forced)).containsExactly("9-10", "6-8", "5", "0-4");
        assertThat(forced.cpuKinds().stream().map(CpuKind::efficiency)).containsExactly(0, 1, 2, 3);
        Topology restricted =
                TopologyEditor.of(forced).restrictTo(CpuSet.range(3, 9)).build();
        assertThat(sets(restricted)).containsExactly("9", "6-8", "5", "3-4");
    }

    private static List<String> sets(Topology machine) {
        List<String> sets = new ArrayList<>();
        machine.cpuKinds().forEach(kind -> sets.add(kind.cpus().toString()));
        return sets;
    }
}
