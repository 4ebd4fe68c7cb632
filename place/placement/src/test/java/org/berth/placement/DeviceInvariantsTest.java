package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.berth.machines.MachineDevices;
import org.berth.machines.Machines;
import org.berth.machines.RandomMachine;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every plan near a device must keep, wherever on whatever machine the device is. */
@Tag("long")
@Tag("one-jdk")
class DeviceInvariantsTest {
    private static final long SEED = Long.getLong("berth.seed", System.nanoTime());
    private static final List<String> PLACES = List.of("Machine", "Package", "Die", "Group", "L3Cache");

    static Stream<String> recorded() {
        return Stream.concat(Machines.names().stream(), Machines.literature().stream())
                // It has an ib0 of its own.
                .filter(name -> !Machines.xml(name).contains("\"ib0\""));
    }

    static LongStream seeds() {
        return LongStream.range(SEED, SEED + 20);
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void keptOnRecordedMachines(String name) {
        check(name, Machines.xml(name));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void keptOnRandomMachines(long seed) {
        check("random machine " + seed, RandomMachine.xml(seed));
    }

    private static void check(String name, String xml) {
        SplittableRandom random = new SplittableRandom(SEED ^ name.hashCode());
        for (String type : PLACES) {
            int places = MachineDevices.places(xml, type);
            if (places > 0) {
                int number = random.nextInt(places);
                String with = MachineDevices.below(xml, type, number);
                CpuSet near = mask(MachineDevices.cpuset(xml, type, number));
                Topology machine = TopologyXml.parse(with);
                CpuSet part = RandomPart.of(machine.allowedCpuSet(), random);
                String what = name + ", device below " + type + " " + number + ", seed " + SEED;
                checkAll(what, machine, TopologyXml.parse(with), near, random);
                checkAll(
                        what + ", allowed " + part,
                        machine.withAllowed(part, machine.allowedNodeSet()),
                        TopologyXml.parse(with).withAllowed(part, machine.allowedNodeSet()),
                        near,
                        random);
            }
        }
    }

    private static void checkAll(String what, Topology machine, Topology again, CpuSet near, SplittableRandom random) {
        int many = machine.allowedCpuSet().size() + 1 + random.nextInt(4);
        List<PlacementRequest> requests =
                List.of(request(1, 1), request(1, many), request(1 + random.nextInt(4), 1 + random.nextInt(12)));
        for (DevicePolicy policy : DevicePolicy.values()) {
            for (int asked : new int[] {0, 1 + random.nextInt(10)}) {
                for (PlacementRequest request : requests) {
                    checkOne(what, machine, again, near, policy, asked, request);
                }
            }
        }
    }

    private static void checkOne(
            String what,
            Topology machine,
            Topology again,
            CpuSet near,
            DevicePolicy policy,
            int asked,
            PlacementRequest request) {
        PlacementPolicy placement = PlacementPolicies.nearDevice(policy, asked);
        if (policy.staysNear() && !near.intersects(machine.allowedCpuSet())) {
            assertThatThrownBy(() -> placement.plan(machine, request))
                    .as(what)
                    .isInstanceOf(PlacementException.class)
                    .hasMessageStartingWith("device 'ib0' is near CPUs " + near + ", and none of them");
            return;
        }
        PlacementPlan plan = placement.plan(machine, request);
        try {
            new DevicePlanOracle(machine, near, policy, request, plan).check(asked);
            assertThat(placement.plan(again, request)).isEqualTo(plan);
            assertThat(PlacementPlan.parse(plan.toText())).isEqualTo(plan);
        } catch (AssertionError error) {
            throw new AssertionError(
                    what + ", " + policy + " of " + asked + ", near " + near + ", " + request + ":\n" + plan.toText(),
                    error);
        }
    }

    private static PlacementRequest request(int workers, int threads) {
        return PlacementRequest.of(AffinityLevel.NONE, workers, threads).withNearDevice("ib0");
    }

    /** hwloc's masks: 32 bits between commas, highest first, nothing for zero. */
    private static CpuSet mask(String text) {
        String[] words = text.split(",", -1);
        BitSet bits = new BitSet();
        for (int i = 0; i < words.length; i++) {
            String word = words[words.length - 1 - i];
            long value = word.isEmpty() ? 0 : Long.parseLong(word.substring(2), 16);
            for (int bit = 0; bit < 32; bit++) {
                bits.set(32 * i + bit, (value >> bit & 1) != 0);
            }
        }
        return CpuSet.of(bits.stream().toArray());
    }
}
