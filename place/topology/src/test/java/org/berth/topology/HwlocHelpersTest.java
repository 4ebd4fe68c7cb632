package org.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.machines.RandomSeed;
import org.berth.oracle.HwlocTools;
import org.berth.oracle.Tool;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Traversal and distribution against hwloc-distrib and hwloc-calc on every machine. */
@Tag("one-jdk")
class HwlocHelpersTest {
    static Stream<String> machines() {
        return Stream.concat(Machines.names().stream(), Machines.literature().stream());
    }

    @ParameterizedTest
    @MethodSource("machines")
    void distributionIsThatOfHwloc(String name) {
        Path distrib = Tool.require("hwloc-distrib");
        Topology machine = TopologyXml.parse(Machines.xml(name));
        int pus = machine.count(ObjectType.PU);
        for (int count : new int[] {1, 2, 3, 5, 8, pus, pus + 3}) {
            List<String> theirs = HwlocTools.run(distrib, Machines.xml(name), Integer.toString(count))
                    .lines()
                    .toList();
            List<String> ours = machine.distribute(machine.cpuSet(), count).stream()
                    .map(CpuSet::toMaskString)
                    .toList();
            assertThat(ours).as("%s in %d parts", name, count).isEqualTo(theirs);
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void distributionsOverObjectsAreThoseOfHwlocDistrib(String name) {
        Path distrib = Tool.require("hwloc-distrib");
        Topology machine = TopologyXml.parse(Machines.xml(name));
        List<TopologyObject> packages = machine.objects(ObjectType.PACKAGE);
        assumeTrue(!packages.isEmpty() && machine.depths(ObjectType.CORE).size() == 1, "no level of packages or cores");
        int cores = machine.depths(ObjectType.CORE).get(0);
        for (int count : new int[] {1, 3, packages.size() * 2, machine.count(ObjectType.PU)}) {
            for (boolean reversed : new boolean[] {false, true}) {
                List<String> arguments = new ArrayList<>(List.of("--from", "package", "--to", "core"));
                if (reversed) {
                    arguments.add("--reverse");
                }
                arguments.add(Integer.toString(count));
                assertThat(machine.distribute(packages, count, cores, reversed).stream()
                                .map(CpuSet::toMaskString))
                        .as("%s %s", name, arguments)
                        .containsExactlyElementsOf(
                                HwlocTools.run(distrib, Machines.xml(name), arguments.toArray(new String[0]))
                                        .lines()
                                        .toList());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void setsAndObjectsAreThoseOfHwloc(String name) {
        Path calc = Tool.require("hwloc-calc");
        Topology machine = TopologyXml.parse(Machines.xml(name));
        long seed = RandomSeed.next("subsets of " + name);
        Random random = new Random(seed);
        for (int i = 0; i < 3; i++) {
            CpuSet cpus = CpuSet.of(machine.objects(ObjectType.PU).stream()
                    .filter(pu -> random.nextInt(3) > 0)
                    .mapToInt(TopologyObject::osIndex)
                    .toArray());
            String about = name + " with seed " + seed + ": " + cpus;
            assertThat(machine.nodesNear(cpus).toMaskString())
                    .as(about)
                    .isEqualTo(calc(calc, name, "--no", cpus.toMaskString()));
            assertThat(logicalIndexes(machine.objectsIntersecting(cpus, ObjectType.CORE)))
                    .as(about)
                    .isEqualTo(calc(calc, name, "-I", "core", cpus.toMaskString()));
            assertThat(machine.onePuPerCore(cpus, 0).toMaskString())
                    .as(about)
                    .isEqualTo(calc(calc, name, "--no-smt", cpus.toMaskString()));
            assertThat(largest(machine.largestObjectsInside(cpus)))
                    .as(about)
                    .isEqualTo(calc(calc, name, "--largest", cpus.toMaskString()));
        }
    }

    private static String calc(Path calc, String name, String... arguments) {
        return HwlocTools.run(calc, Machines.xml(name), arguments).strip();
    }

    private static String logicalIndexes(List<TopologyObject> objects) {
        return String.join(
                ",", objects.stream().map(object -> "" + object.logicalIndex()).toList());
    }

    /** hwloc-calc's notation: "Package:0 L2Cache:3 PU:7". */
    private static String largest(List<TopologyObject> objects) {
        return String.join(
                " ",
                objects.stream()
                        .map(object -> object.toString()
                                .replaceFirst(
                                        "(\\([A-Za-z]*\\))? L#(\\d+).*",
                                        (object.type().isCache() ? "Cache" : "") + ":$2"))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("machines")
    void impossibleDistributionsAreRefused(String name) {
        Topology machine = TopologyXml.parse(Machines.xml(name));
        assertThatThrownBy(() -> machine.distribute(machine.cpuSet(), 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> machine.distribute(machine.cpuSet().complement(), 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
