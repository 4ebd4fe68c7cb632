package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Threads of one process fill one package before they go to the next. */
class ProcessRequestTest {
    static Stream<String> machines() {
        return Machines.all().stream();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void threadsThatFitOnePackageStayThereAndMoreUseAllCores(String name) {
        Topology machine = TopologyXml.parse(Machines.xml(name));
        List<TopologyObject> packages = machine.objectsIntersecting(machine.allowedCpuSet(), ObjectType.PACKAGE);
        List<Integer> cores = packages.stream()
                .map(part -> machine.objectsIntersecting(
                                part.cpuSet().intersection(machine.allowedCpuSet()), ObjectType.CORE)
                        .size())
                .toList();
        if (packages.isEmpty() || cores.contains(0)) {
            return;
        }
        Set<TopologyObject> few = packagesOf(machine, plan(machine, AffinityLevel.CORE, cores.get(0)));
        assertThat(few).hasSize(1);
        if (new HashSet<>(cores).size() == 1) {
            int all = packages.size() * cores.get(0);
            PlacementPlan plan = plan(machine, AffinityLevel.CORE, all);
            assertThat(plan.oversubscribed()).isFalse();
            assertThat(plan.slots()).hasSize(all);
            assertThat(packagesOf(machine, plan)).hasSameSizeAs(packages);
        }
    }

    @ParameterizedTest
    @EnumSource(AffinityLevel.class)
    void noPuIsLeftOutWhenThereIsAThreadForEach(AffinityLevel level) {
        Topology machine = TopologyXml.parse(Machines.xml("2x12x8"));
        int pus = machine.allowedCpuSet().size();
        PlacementPlan plan = plan(machine, level, pus);
        assertThat(plan.slots().stream().map(Slot::cpus).reduce((a, b) -> a.union(b)))
                .contains(machine.allowedCpuSet());
        assertThat(plan.slots()).hasSize(pus);
    }

    @Test
    void moreThreadsThanTheMachineHasAreDealtToAllOfIt() {
        Topology machine = TopologyXml.parse(Machines.xml("4x10x2"));
        PlacementPlan plan = plan(machine, AffinityLevel.CORE, 1001);
        assertThat(packagesOf(machine, plan)).hasSameSizeAs(machine.objects(ObjectType.PACKAGE));
    }

    private static PlacementPlan plan(Topology machine, AffinityLevel level, int threads) {
        return PlacementPolicies.byLevel().plan(machine, PlacementRequest.of(level, 1, threads));
    }

    private static Set<TopologyObject> packagesOf(Topology machine, PlacementPlan plan) {
        Set<TopologyObject> result = new HashSet<>();
        plan.slots().forEach(slot -> result.addAll(machine.objectsIntersecting(slot.cpus(), ObjectType.PACKAGE)));
        return result;
    }
}
