package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.machines.RandomMachine;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every plan must keep on every machine, whole or with a random part of its CPUs allowed. */
@Tag("one-jdk")
class PlacementInvariantsTest {
    private static final List<OrderedLevel> LEVELS = Stream.concat(
                    OrderedLevel.ALL.stream(),
                    Stream.of("l3-spread-all", "core-spread", "core-spread-all", "pu-spread")
                            .map(OrderedLevel::parse))
            .toList();

    private static final long SEED = Long.getLong("berth.seed", System.nanoTime());

    static Stream<String> recorded() {
        return Stream.concat(Machines.all().stream(), Machines.servers().stream());
    }

    static LongStream seeds() {
        return LongStream.range(SEED, SEED + 20);
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void keptOnRecordedMachines(String name) {
        checkWholeAndParts(name, Machines.xml(name));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void keptOnRandomMachines(long seed) {
        checkWholeAndParts("random machine " + seed, RandomMachine.xml(seed));
    }

    @Test
    void keptOn4096Pus() {
        Topology machine = TopologyXml.parse(RandomMachine.regular(16, 128, 2));
        PlacementRequest request = PlacementRequest.of(AffinityLevel.PU, 16, 256);
        PlacementPlan plan = PlacementPolicies.byLevel().plan(machine, request);
        assertThat(plan.oversubscribed()).isFalse();
        assertThat(plan.cpus().toString()).isEqualTo("0-4095");
        assertThat(plan.slots().stream().mapToInt(slot -> slot.cpus().first()).distinct())
                .hasSize(4096);
        assertThat(PlacementPlan.parse(plan.toText())).isEqualTo(plan);
    }

    private static void checkWholeAndParts(String name, String xml) {
        Topology machine = TopologyXml.parse(xml);
        SplittableRandom random = new SplittableRandom(SEED ^ name.hashCode());
        checkAll(name + ", seed " + SEED, machine, TopologyXml.parse(xml), random);
        for (int i = 0; i < 3; i++) {
            CpuSet cpus = RandomPart.of(machine.allowedCpuSet(), random);
            NodeSet nodes = i == 0 ? machine.allowedNodeSet() : RandomPart.of(machine.allowedNodeSet(), random);
            String what = name + ", allowed " + cpus + " and nodes " + nodes + ", seed " + SEED;
            checkAll(
                    what,
                    machine.withAllowed(cpus, nodes),
                    TopologyXml.parse(xml).withAllowed(cpus, nodes),
                    random);
        }
    }

    /** The second topology is the same machine, read anew, so that a plan cannot depend on identity or hash order. */
    private static void checkAll(String what, Topology machine, Topology again, SplittableRandom random) {
        for (Size size : sizes(machine, random)) {
            for (OrderedLevel level : LEVELS) {
                PlacementRequest request = PlacementRequest.of(AffinityLevel.NONE, size.workers, size.threads)
                        .withLevel(level);
                PlacementPlan plan = PlacementPolicies.byLevel().plan(machine, request);
                try {
                    new PlanOracle(machine, request, plan).check();
                    assertThat(PlacementPolicies.byLevel().plan(again, request)).isEqualTo(plan);
                    assertThat(PlacementPlan.parse(plan.toText())).isEqualTo(plan);
                } catch (AssertionError error) {
                    throw new AssertionError(what + ", " + request + ":\n" + plan.toText(), error);
                }
            }
        }
        checkGroups(machine, PlacementRequest.of(AffinityLevel.NONE, 1 + random.nextInt(4), 1 + random.nextInt(8)));
    }

    /** One thread, a few, as many as there are cores, and more than there are of everything. */
    private static List<Size> sizes(Topology machine, SplittableRandom random) {
        int packages = Math.max(1, machine.count(ObjectType.PACKAGE));
        int cores = Math.max(1, machine.count(ObjectType.CORE));
        return List.of(
                new Size(1, 1),
                new Size(packages, Math.min(cores / packages + 1, 20)),
                new Size(packages + 1, 2),
                new Size(Math.min(cores + 1, 80), 1),
                new Size(1 + random.nextInt(8), 1 + random.nextInt(30)));
    }

    private record Size(int workers, int threads) {}

    /** Groups of levels hold each level once, and levels share a group just when their threads get the same. */
    private static void checkGroups(Topology machine, PlacementRequest request) {
        List<List<OrderedLevel>> groups = PlacementPolicies.indistinguishable(machine, request);
        assertThat(groups.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(OrderedLevel.ALL);
        assertThat(groups)
                .allSatisfy(group -> assertThat(
                                group.stream().map(OrderedLevel.ALL::indexOf).toList())
                        .isSorted());
        Map<OrderedLevel, List<List<String>>> byLevel = new HashMap<>();
        for (OrderedLevel level : OrderedLevel.ALL) {
            byLevel.put(level, bindings(machine, request.withLevel(level)));
        }
        for (List<OrderedLevel> group : groups) {
            for (OrderedLevel level : OrderedLevel.ALL) {
                boolean same = Objects.equals(byLevel.get(level), byLevel.get(group.get(0)));
                assertThat(same).isEqualTo(group.contains(level));
            }
        }
    }

    private static List<List<String>> bindings(Topology machine, PlacementRequest request) {
        PlacementPlan plan = PlacementPolicies.byLevel().plan(machine, request);
        List<List<String>> result = new ArrayList<>();
        for (int worker = 0; worker < request.workers(); worker++) {
            result.add(plan.workerSlots(worker).stream()
                    .map(slot -> slot.cpus() + " " + slot.memoryNodes())
                    .sorted()
                    .toList());
        }
        return result;
    }
}
