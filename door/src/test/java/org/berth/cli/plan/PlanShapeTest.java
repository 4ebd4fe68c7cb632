package org.berth.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.berth.machines.MachineDevices;
import org.berth.machines.Machines;
import org.berth.placement.AffinityLevel;
import org.berth.placement.DevicePolicy;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementPolicy;
import org.berth.placement.PlacementRequest;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PlanShapeTest {
    @ParameterizedTest
    @CsvSource({
        "2x8x2, NONE, 1, 32",
        "2x8x2, NUMA, 2, 16",
        "2x8x2, PACKAGE, 2, 16",
        "2x8x2, CORE, 2, 8",
        "2x8x2, PU, 2, 16",
        "2x12x8, NUMA, 4, 48",
        "2x12x8, CORE, 2, 12",
        "4x10x2, PU, 4, 20",
        "4fake-4gr1nu1pu, CORE, 1, 2",
    })
    void fillsTheMachine(String machine, AffinityLevel level, int workers, int threads) {
        Topology topology = TopologyXml.parse(Machines.xml(machine));
        PlanShape shape = PlanShape.of(topology, topology.allowedCpuSet(), level, 0, 0);
        assertThat(shape.workers()).isEqualTo(workers);
        assertThat(shape.threads()).isEqualTo(threads);
        assertThat(shape.choices()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"2x8x2, 4, 4", "2x8x2, 3, 4", "2x8x2, 1, 8", "2x8x2, 64, 1"})
    void dividesAPackageAmongItsWorkers(String machine, int workers, int threads) {
        Topology topology = TopologyXml.parse(Machines.xml(machine));
        PlanShape shape = PlanShape.of(topology, topology.allowedCpuSet(), AffinityLevel.CORE, workers, 0);
        assertThat(shape.threads()).isEqualTo(threads);
        assertThat(shape.choices()).hasSize(1);
    }

    /** On every machine, with some of its CPUs taken away: what is chosen must not make threads share. */
    @ParameterizedTest
    @MethodSource("org.berth.machines.Machines#all")
    void neverOversubscribesByItself(String machine) {
        Topology topology = TopologyXml.parse(Machines.xml(machine));
        CpuSet cpus = everySecond(topology.cpuSet());
        for (AffinityLevel level : AffinityLevel.values()) {
            PlanShape shape = PlanShape.of(topology, cpus, level, 0, 0);
            PlacementPlan plan = PlacementPolicies.byLevel()
                    .plan(
                            topology,
                            PlacementRequest.of(level, shape.workers(), shape.threads())
                                    .withCpus(cpus));
            assertThat(plan.oversubscribed())
                    .as("level %s: %s", level, plan.notes())
                    .isFalse();
        }
    }

    /** The same near devices: what is chosen fills all that is near, and no thread shares. */
    @ParameterizedTest
    @MethodSource("org.berth.machines.Machines#all")
    void neverOversubscribesByItselfNearADevice(String machine) {
        String xml = Machines.xml(machine);
        String place = MachineDevices.places(xml, "Package") > 0 ? "Package" : "Machine";
        Topology topology = TopologyXml.parse(MachineDevices.below(xml, place, 0));
        CpuSet near = topology.objects(place).get(0).cpuSet().intersection(topology.allowedCpuSet());
        PlacementRequest request = PlacementRequest.of(AffinityLevel.NONE, 1, 1).withNearDevice("card0");
        for (DevicePolicy choice : DevicePolicy.values()) {
            PlacementPolicy policy = PlacementPolicies.nearDevice(choice, 1);
            PlanShape shape = PlanShape.nearDevice(topology, policy, request, 0, 0);
            PlacementPlan plan = policy.plan(topology, request.withThreadsPerWorker(shape.threads()));
            assertThat(plan.oversubscribed()).as("%s: %s", choice, plan.notes()).isFalse();
            assertThat((Object) plan.cpus()).isEqualTo(choice.staysNear() ? near : topology.allowedCpuSet());
            PlacementPlan more = policy.plan(topology, request.withThreadsPerWorker(shape.threads() + 1));
            assertThat(more.oversubscribed()).isTrue();
        }
    }

    private static CpuSet everySecond(CpuSet cpus) {
        int[] members = cpus.toArray();
        return CpuSet.of(IntStream.range(0, members.length)
                .filter(i -> i % 2 == 0)
                .map(i -> members[i])
                .toArray());
    }
}
