package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.machines.RandomMachine;
import org.berth.observation.internal.load.LoadSnapshot;
import org.berth.placement.internal.dynamic.Decision;
import org.berth.placement.internal.dynamic.DynamicPlacement;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.berth.placement.internal.dynamic.DynamicState;
import org.berth.placement.internal.dynamic.InterruptReference;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of the policy on every machine, for random interrupts, masks and loads, told anew from the tree. */
@Tag("one-jdk")
class DynamicInvariantsTest {
    private static final long SEED = Long.getLong("berth.seed", System.nanoTime());
    private static final List<String> PAPER_ORDER = List.of("DS", "DC", "DM", "DN", "NC", "NM", "NN");

    static Stream<String> recorded() {
        return Stream.concat(Machines.names().stream(), Machines.literature().stream());
    }

    static LongStream seeds() {
        return LongStream.range(SEED, SEED + 20);
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void keptOnRecordedMachines(String name) {
        check(name, TopologyXml.parse(Machines.xml(name)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void keptOnRandomMachines(long seed) {
        check("random machine " + seed, TopologyXml.parse(RandomMachine.xml(seed)));
    }

    private static void check(String name, Topology machine) {
        SplittableRandom random = new SplittableRandom(SEED ^ name.hashCode());
        for (int i = 0; i < 4; i++) {
            Topology part =
                    machine.withAllowed(RandomPart.of(machine.allowedCpuSet(), random), machine.allowedNodeSet());
            CpuSet disk = some(machine.cpuSet(), random);
            CpuSet network = some(machine.cpuSet(), random);
            String what = name + ", allowed " + part.allowedCpuSet() + ", disk " + disk + ", network " + network
                    + ", seed " + SEED;
            try {
                checkDecisions(part, disk, network, random);
            } catch (AssertionError error) {
                throw new AssertionError(what, error);
            }
        }
    }

    private static void checkDecisions(Topology machine, CpuSet disk, CpuSet network, SplittableRandom random) {
        DynamicPlacement placement = DynamicPlacement.of(
                machine, DynamicPolicy.INTERRUPT, InterruptReference.ofCpus(disk), InterruptReference.ofCpus(network));
        CpuSet usable = machine.allowedCpuSet().intersection(machine.cpuSet());
        List<CpuSet> cores = cores(machine, usable);
        boolean everywhere = cores.size() > 1
                && cores.stream().allMatch(core -> whole(machine, core).intersects(network));
        List<CpuSet> given = new ArrayList<>();
        DynamicState state = DynamicState.start();
        LoadSnapshot load = LoadSnapshot.of(1, machine.cpuSet(), RandomPart.of(machine.cpuSet(), random));
        CpuSet free = load.idle();
        for (int i = 0; i < Math.min(cores.size() + 2, 20); i++) {
            Decision decision = placement.decide(load, state);
            assertThat(placement.decide(load, state)).as("decided twice").isEqualTo(decision);
            assertThat(usable.containsAll(decision.cpus())).isTrue();
            Optional<String> best = best(machine, cores, free, disk, network, everywhere);
            assertThat(decision.chosen().map(Enum::name)).isEqualTo(best);
            if (decision.chosen().isPresent()) {
                assertThat(cores).contains(decision.cpus());
                assertThat(free.containsAll(decision.cpus())).isTrue();
                assertThat(classes(machine, decision.cpus(), disk, network)).contains(best.orElseThrow());
                assertThat(given).doesNotContain(decision.cpus());
                given.add(decision.cpus());
            }
            if (!everywhere) {
                decision.cpus()
                        .forEachIndex(cpu -> assertThat(classes(machine, CpuSet.of(cpu), disk, network))
                                .as("CPU %d", cpu)
                                .doesNotContain("NS"));
            }
            free = free.minus(decision.core().isPresent() ? decision.cpus() : CpuSet.empty());
            state = decision.next();
        }
    }

    /** The first class of the paper's order that has a core which is wholly free and not the network's. */
    private static Optional<String> best(
            Topology machine, List<CpuSet> cores, CpuSet free, CpuSet disk, CpuSet network, boolean everywhere) {
        return PAPER_ORDER.stream()
                .filter(kind -> cores.stream().filter(free::containsAll).anyMatch(core -> {
                    List<String> classes = classes(machine, core, disk, everywhere ? CpuSet.empty() : network);
                    return classes.contains(kind) && !classes.contains("NS");
                }))
                .findFirst();
    }

    private static List<String> classes(Topology machine, CpuSet core, CpuSet disk, CpuSet network) {
        List<String> classes = new ArrayList<>();
        if (!disk.isEmpty()) {
            classes.add("D" + nearest(machine, core, disk));
        }
        if (!network.isEmpty()) {
            classes.add("N" + nearest(machine, core, network));
        }
        return classes;
    }

    /** Pair by pair, by the common ancestors of two PUs. */
    private static char nearest(Topology machine, CpuSet core, CpuSet handling) {
        String letters = "SCMN";
        int best = letters.length() - 1;
        for (int to : handling.toArray()) {
            for (int from : whole(machine, core).toArray()) {
                best = Math.min(best, letters.indexOf(relation(machine, from, to)));
            }
        }
        return letters.charAt(best);
    }

    private static char relation(Topology machine, int from, int to) {
        TopologyObject one = machine.pu(from).orElseThrow();
        TopologyObject other = machine.pu(to).orElseThrow();
        if (from == to
                || (one.ancestor(ObjectType.CORE).isPresent()
                        && one.ancestor(ObjectType.CORE).equals(other.ancestor(ObjectType.CORE)))) {
            return 'S';
        }
        for (Optional<TopologyObject> at = Optional.of(one.commonAncestor(other));
                at.isPresent();
                at = at.get().parent()) {
            if (at.get().type().isCache()) {
                return 'C';
            }
        }
        // A node without CPUs of its own may be near all of them: the smallest one is where the CPU's memory is.
        boolean near = machine.objects(ObjectType.NUMA_NODE).stream()
                .map(TopologyObject::cpuSet)
                .filter(cpus -> cpus.contains(to))
                .min(Comparator.comparingInt(CpuSet::size))
                .filter(cpus -> cpus.contains(from))
                .isPresent();
        return near ? 'M' : 'N';
    }

    private static List<CpuSet> cores(Topology machine, CpuSet usable) {
        List<CpuSet> cores = new ArrayList<>();
        for (int cpu : usable.toArray()) {
            CpuSet core = whole(machine, CpuSet.of(cpu)).intersection(usable);
            if (!cores.contains(core)) {
                cores.add(core);
            }
        }
        return cores;
    }

    private static CpuSet whole(Topology machine, CpuSet core) {
        return machine.pu(core.first())
                .flatMap(pu -> pu.ancestor(ObjectType.CORE))
                .map(TopologyObject::cpuSet)
                .orElse(core);
    }

    /** Mostly one, as of old; sometimes none or many. */
    private static CpuSet some(CpuSet all, SplittableRandom random) {
        int[] cpus = all.toArray();
        return switch (random.nextInt(6)) {
            case 0 -> CpuSet.empty();
            case 1 -> RandomPart.of(all, random);
            default -> CpuSet.of(cpus[random.nextInt(cpus.length)]);
        };
    }
}
