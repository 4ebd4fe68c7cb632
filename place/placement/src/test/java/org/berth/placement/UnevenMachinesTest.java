package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.berth.machines.MachineDevices;
import org.berth.machines.Machines;
import org.berth.machines.RandomMachine;
import org.berth.machines.RandomSeed;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No thread shares a core (at level pu a PU) while another allowed one is free, and none is bound more loosely than asked: on machines
 * and sets of allowed CPUs that are uneven, at every level and order and near a device.
 */
@Tag("one-jdk")
class UnevenMachinesTest {
    /** Machines, each with a set of CPUs and numbers of workers and threads; every level and order in turn; -Dberth.property.runs=20000 is a long run. */
    private static final int RUNS = Integer.getInteger("berth.property.runs", 1000);

    private static final int PART = 250;

    private static final List<OrderedLevel> LEVELS = Stream.of(
                    "none",
                    "numa",
                    "package",
                    "l3",
                    "l3-spread",
                    "l3-spread-all",
                    "core",
                    "core-spread",
                    "core-spread-all",
                    "pu",
                    "pu-spread",
                    "pu-spread-all")
            .map(OrderedLevel::parse)
            .toList();

    /** Parts, for as many CPUs as the tests have. */
    static LongStream parts() {
        long seed = RandomSeed.next("machines for which plans are judged");
        return LongStream.iterate(seed, first -> first < seed + RUNS, first -> first + PART);
    }

    @ParameterizedTest
    @MethodSource("parts")
    void noThreadSharesWhatIsFreeElsewhere(long seed) {
        for (int run = 0; run < Math.min(PART, RUNS); run++) {
            SplittableRandom random = new SplittableRandom(seed + run);
            String xml = machine(random);
            Topology whole = TopologyXml.parse(xml);
            CpuSet allowed = allowed(whole, random);
            Topology machine = whole.withAllowed(allowed, whole.allowedNodeSet());
            int most = allowed.size() + 2;
            int workers = 1 + random.nextInt(random.nextBoolean() ? 4 : Math.min(most, 20));
            int threads = 1 + random.nextInt(Math.max(1, (random.nextBoolean() ? most : 3 * most) / workers));
            OrderedLevel level = LEVELS.get(random.nextInt(LEVELS.size()));
            judge(
                    "-Dberth.seed=%d -Dberth.property.runs=1: allowed %s".formatted(seed + run, allowed),
                    machine,
                    PlacementRequest.of(AffinityLevel.NONE, workers, threads).withLevel(level));
        }
    }

    private static void judge(String what, Topology machine, PlacementRequest request) {
        PlacementPlan plan = PlacementPolicies.byLevel().plan(machine, request);
        require(UnevenJudge.ofLevel(machine, request, plan), what + ", " + request, plan);
    }

    private static void require(List<String> faults, String what, PlacementPlan plan) {
        if (!faults.isEmpty()) {
            String text = plan.toText();
            throw new AssertionError(String.join("\n", faults.subList(0, Math.min(5, faults.size()))) + "\n" + what
                    + ":\n" + text.substring(0, Math.min(6000, text.length())));
        }
    }

    @Test
    void noThreadNearADeviceSharesWhatIsFreeElsewhere() {
        long seed = RandomSeed.next("machines with a device for which plans are judged");
        for (int run = 0; run < RUNS / 10; run++) {
            SplittableRandom random = new SplittableRandom(seed + run);
            String bare = machine(random);
            String type = Stream.of("Package", "L3Cache", "Machine")
                    .filter(one -> MachineDevices.places(bare, one) > 0 && random.nextBoolean())
                    .findFirst()
                    .orElse("Machine");
            Topology whole = TopologyXml.parse(
                    MachineDevices.below(bare, type, random.nextInt(MachineDevices.places(bare, type))));
            CpuSet near = whole.locality(whole.device("ib0").orElseThrow()).cpus();
            CpuSet allowed = allowed(whole, random);
            Topology machine = whole.withAllowed(allowed, whole.allowedNodeSet());
            int threads = 1 + random.nextInt(allowed.size() + 2);
            PlacementRequest request =
                    PlacementRequest.of(AffinityLevel.NONE, 1, threads).withNearDevice("ib0");
            for (DevicePolicy policy : DevicePolicy.values()) {
                CpuSet usable = policy.staysNear() ? allowed.intersection(near) : allowed;
                if (!usable.isEmpty()) {
                    PlacementPlan plan = PlacementPolicies.nearDevice(policy, random.nextInt(5))
                            .plan(machine, request);
                    String what = "-Dberth.seed=%d -Dberth.property.runs=10: allowed %s, %s"
                            .formatted(seed + run, allowed, policy);
                    require(UnevenJudge.ofDevice(machine, usable, policy, request, plan), what, plan);
                }
            }
        }
    }

    /** The cases of the report: five threads on CPUs 0-4 of two packages, and every container with the first CPUs of two packages. */
    @Test
    void noThreadSharesOnAnyPrefixOfAServersCpus() {
        Topology whole = TopologyXml.parse(Machines.xml("2x8x2"));
        for (int count = 1; count <= 32; count++) {
            Topology machine = whole.withAllowed(CpuSet.range(0, count - 1), whole.allowedNodeSet());
            for (OrderedLevel level : LEVELS) {
                PlacementRequest one =
                        PlacementRequest.of(AffinityLevel.NONE, 1, count).withLevel(level);
                judge("CPUs 0-" + (count - 1), machine, one);
            }
        }
        Topology five = TopologyXml.parse(RandomMachine.layered(2, 1, 1, 4, 1))
                .withAllowed(CpuSet.range(0, 4), whole.allowedNodeSet());
        judge("CPUs 0-4 of two packages of four cores", five, PlacementRequest.of(AffinityLevel.CORE, 1, 5));
    }

    @Test
    void aPoolOfOneWorkerTakesAsManyPackagesAsItNeedsAndSaysSo() {
        Topology machine = TopologyXml.parse(RandomMachine.layered(8, 1, 1, 4, 1));
        PlacementPlan plan = PlacementPolicies.byLevel().plan(machine, PlacementRequest.of(AffinityLevel.CORE, 1, 32));
        assertThat(plan.slots().stream().map(Slot::cpus).distinct()).hasSize(32);
        assertThat(plan.oversubscribed()).isFalse();
        assertThat(plan.notes())
                .containsExactly("worker 0 is in more than one package: no package has 32 free cores for its threads");
    }

    /** One that hwloc would accept, or a server, of which parts may be missing. */
    private static String machine(SplittableRandom random) {
        return random.nextBoolean()
                ? RandomMachine.xml(random.nextLong())
                : RandomMachine.layered(
                        1 + random.nextInt(4),
                        1 + random.nextInt(2),
                        1 + random.nextInt(3),
                        1 + random.nextInt(4),
                        1 + random.nextInt(3));
    }

    /** All, some, the first ones as a container gets them, or all but those of a few cores. */
    private static CpuSet allowed(Topology machine, SplittableRandom random) {
        CpuSet all = machine.allowedCpuSet();
        List<Integer> cpus = new ArrayList<>(all.stream().boxed().toList());
        return switch (random.nextInt(4)) {
            case 0 -> all;
            case 1 -> RandomPart.of(all, random);
            case 2 -> all.intersection(CpuSet.range(0, cpus.get(random.nextInt(cpus.size()))));
            default -> {
                CpuSet most = all;
                for (int i = 0; i < 3 && most.size() > 1; i++) {
                    most = most.without(cpus.remove(random.nextInt(cpus.size())));
                }
                yield most;
            }
        };
    }
}
