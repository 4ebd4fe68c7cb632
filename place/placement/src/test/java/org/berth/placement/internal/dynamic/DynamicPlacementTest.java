package org.berth.placement.internal.dynamic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.berth.machines.Machines;
import org.berth.observation.internal.load.LoadSnapshot;
import org.berth.placement.LayeredMachine;
import org.berth.placement.PlacementException;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The steps of the policy on a machine of two packages with two memory nodes each; a node has two L3 caches of two cores of
 * one PU: CPUs 0-1 and 2-3 share a cache, 0-3 a node, 0-7 a package; 8-15 are the other one.
 */
class DynamicPlacementTest {
    private static final Topology MACHINE = machine();
    private static final CpuSet ALL = CpuSet.range(0, 15);

    @Test
    void classesOfAllCores() {
        DynamicPlacement placement = placement("2", "9");
        assertThat(cpus(placement, AffinityClass.DS)).isEqualTo("2");
        assertThat(cpus(placement, AffinityClass.DC)).isEqualTo("3");
        assertThat(cpus(placement, AffinityClass.DM)).isEqualTo("0-1");
        assertThat(cpus(placement, AffinityClass.DN)).isEqualTo("4-15");
        assertThat(cpus(placement, AffinityClass.NS)).isEqualTo("9");
        assertThat(cpus(placement, AffinityClass.NC)).isEqualTo("8");
        assertThat(cpus(placement, AffinityClass.NM)).isEqualTo("10-11");
        assertThat(cpus(placement, AffinityClass.NN)).isEqualTo("0-7,12-15");
        assertThat(placement.cores().get(9).classes()).containsExactly(AffinityClass.DN, AffinityClass.NS);
        assertThat(placement.notes()).isEmpty();
    }

    /** Disk on CPU 2, network on CPU 1: what is busy, and where the next thread goes by which class. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -            | [DS] core L#2 (PU 2)
            2            | [DC] core L#3 (PU 3)
            2-3          | [DM] core L#0 (PU 0)
            0,2-3        | [DN] core L#4 (PU 4)
            0,2-14       | [DN] core L#15 (PU 15)
            0,2-15       | no core in particular (PUs 0,2-15)
            0-15         | no core in particular (PUs 0,2-15)
            """)
    void firstIdleCoreInTheOrderOfThePaper(String busy, String expected) {
        DynamicPlacement placement = placement("2", "1");
        CpuSet load = CpuSet.parseList(busy.equals("-") ? "" : busy);
        Decision decision = placement.decide(LoadSnapshot.of(1, ALL, load), DynamicState.start());
        assertThat(decision.words()).isEqualTo(expected);
        assertThat(decision.binds()).isTrue();
    }

    /** Without a disk's core, the network's classes decide. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1       | [NC] core L#0 (PU 0)
            0       | [NM] core L#2 (PU 2)
            0,2-3   | [NN] core L#4 (PU 4)
            0,2-15  | no core in particular (PUs 0,2-15)
            """)
    void aVolumeInMemoryGoesByTheNetworkAlone(String busy, String expected) {
        DynamicPlacement placement = placement("", "1");
        Decision decision = placement.decide(LoadSnapshot.of(1, ALL, CpuSet.parseList(busy)), DynamicState.start());
        assertThat(decision.words()).isEqualTo(expected);
        assertThat(placement.notes())
                .containsExactly("the disk's interrupt-handling core is not known: no core has a class by the disk");
    }

    @Test
    void withoutAnyInterruptTheKernelChooses() {
        DynamicPlacement placement = placement("", "");
        Decision decision = placement.decide(idle(1), DynamicState.start());
        assertThat(decision.words()).isEqualTo("no core in particular (PUs 0-15)");
        assertThat(placement.notes()).hasSize(2);
    }

    @Test
    void anUnknownLoadIsNotIdle() {
        Decision decision = placement("2", "9").decide(LoadSnapshot.unknown(), DynamicState.start());
        assertThat(decision.chosen()).isEmpty();
        assertThat(decision.cpus()).isEqualTo(ALL.without(9));
    }

    /** Threads that come between two samples do not all fall on the core that was idle at the last one. */
    @Test
    void aCoreThatWasGivenAwayCountsAsBusyUntilTheLoadShowsIt() {
        DynamicPlacement placement = placement("2", "1");
        List<String> decisions = new ArrayList<>();
        DynamicState state = DynamicState.start();
        for (long sample : new long[] {7, 7, 7, 7, 8, 8, 9, 12}) {
            Decision decision = placement.decide(idle(sample), state);
            decisions.add(decision.words());
            state = decision.next();
        }
        assertThat(decisions)
                .containsExactly(
                        "[DS] core L#2 (PU 2)",
                        "[DC] core L#3 (PU 3)",
                        "[DM] core L#0 (PU 0)",
                        "[DN] core L#7 (PU 7)",
                        // At sample 8 those of sample 7 are still kept free ...
                        "[DN] core L#8 (PU 8)",
                        "[DN] core L#9 (PU 9)",
                        // ... and at sample 9 no more.
                        "[DS] core L#2 (PU 2)",
                        "[DS] core L#2 (PU 2)");
    }

    @Test
    void equallyGoodCoresAreTakenInTurn() {
        DynamicPlacement placement = placement("2", "1");
        LoadSnapshot load = LoadSnapshot.of(1, ALL, CpuSet.parseList("0-7"));
        List<String> decisions = new ArrayList<>();
        DynamicState state = DynamicState.start();
        for (int i = 0; i < 8; i++) {
            Decision decision = placement.decide(load, state);
            decisions.add(decision.cpus().toString());
            state = decision.next();
        }
        assertThat(decisions)
                .doesNotHaveDuplicates()
                .allSatisfy(cpu -> assertThat(Integer.parseInt(cpu)).isBetween(8, 15));
    }

    @Test
    void theNetworksCoreIsAvoidedEvenWhereItIsTheDisks() {
        DynamicPlacement placement = placement("2", "2");
        assertThat(placement.decide(idle(1), DynamicState.start()).words()).isEqualTo("[DC] core L#3 (PU 3)");
        assertThat(placement.notes())
                .containsExactly("disk and network interrupt the same core (core L#2 (PU 2)), which is [NS] and never"
                        + " chosen: there is no [DS] left; 'berth irq --spread' would part them");
    }

    /** NVMe with a queue for each CPU: every core is [DS], and those on the disk's node come first. */
    @Test
    void manyQueuesOfADiskAreASetOfCores() {
        DynamicPlacement placement = DynamicPlacement.of(
                MACHINE,
                DynamicPolicy.INTERRUPT,
                new InterruptReference(ALL, CpuSet.range(4, 7)),
                InterruptReference.ofCpus(CpuSet.of(4)));
        assertThat(cpus(placement, AffinityClass.DS)).isEqualTo("0-15");
        assertThat(placement.decide(idle(1), DynamicState.start()).words()).isEqualTo("[DS] core L#5 (PU 5)");
        assertThat(placement
                        .decide(LoadSnapshot.of(1, ALL, CpuSet.parseList("0,5-7")), DynamicState.start())
                        .words())
                .isEqualTo("[DS] core L#1 (PU 1)");
    }

    /** A queue for each core says nothing of any of them, until the core of the connection is known. */
    @Test
    void anAdapterWithAQueueForEveryCoreAvoidsNone() {
        DynamicPlacement placement = placement("2", "0-15");
        assertThat(cpus(placement, AffinityClass.NS)).isEmpty();
        assertThat(placement.notes()).hasSize(1).first().asString().contains("none counts as [NS]");
        assertThat(placement.decide(idle(1), DynamicState.start()).words()).isEqualTo("[DS] core L#2 (PU 2)");
        DynamicPlacement flow = placement.forConnection(2);
        assertThat(flow.decide(idle(1), DynamicState.start()).words()).isEqualTo("[DC] core L#3 (PU 3)");
        assertThat(placement("2", "0-3").decide(idle(1), DynamicState.start()).words())
                .as("four queues are four cores to avoid")
                .isEqualTo("[DN] core L#4 (PU 4)");
    }

    @Test
    void onlyAllowedCoresAreChosen() {
        Topology part = MACHINE.withAllowed(CpuSet.parseList("1,3,12"), NodeSet.range(0, 3));
        DynamicPlacement placement = DynamicPlacement.of(part, DynamicPolicy.INTERRUPT, cpu(2), cpu(3));
        assertThat(placement.decide(idle(1), DynamicState.start()).words()).isEqualTo("[DM] core L#1 (PU 1)");
        assertThat(placement
                        .decide(LoadSnapshot.of(1, ALL, ALL), DynamicState.start())
                        .cpus())
                .isEqualTo(CpuSet.of(1, 12));
        Topology one = MACHINE.withAllowed(CpuSet.of(3), NodeSet.of(0));
        DynamicPlacement none = DynamicPlacement.of(one, DynamicPolicy.INTERRUPT, cpu(2), cpu(3));
        assertThat(none.decide(idle(1), DynamicState.start()).binds()).isFalse();
        assertThat(none.notes()).containsExactly("every usable core is [NS]: threads are left to the kernel");
    }

    /** A physical core with two hardware threads is one core: its sibling is [DS] too, and both must be idle. */
    @Test
    void siblingsAreOneCore() {
        Topology smt = TopologyXml.parse(Machines.xml("2x8x2"));
        DynamicPlacement placement = DynamicPlacement.of(smt, DynamicPolicy.INTERRUPT, cpu(1), cpu(8));
        CpuSet all = CpuSet.range(0, 31);
        assertThat(cpus(placement, AffinityClass.DS)).isEqualTo("1,17");
        assertThat(cpus(placement, AffinityClass.NS)).isEqualTo("8,24");
        assertThat(placement
                        .decide(LoadSnapshot.of(1, all, CpuSet.empty()), DynamicState.start())
                        .words())
                .isEqualTo("[DS] core L#1 (PUs 1,17)");
        assertThat(placement
                        .decide(LoadSnapshot.of(1, all, CpuSet.of(17)), DynamicState.start())
                        .words())
                .startsWith("[DC] core L#0 ");
    }

    @Test
    void policyNodeStaysOnTheDisksNodeWhateverTheLoad() {
        InterruptReference near = new InterruptReference(CpuSet.of(2), CpuSet.range(12, 15));
        DynamicPlacement placement = DynamicPlacement.of(MACHINE, DynamicPolicy.NODE, near, cpu(9));
        assertThat(placement.decide(idle(1), DynamicState.start()).words())
                .isEqualTo("no core in particular (PUs 12-15)");
        DynamicPlacement byInterrupt = DynamicPlacement.of(MACHINE, DynamicPolicy.NODE, cpu(2), cpu(9));
        assertThat(byInterrupt
                        .decide(LoadSnapshot.unknown(), DynamicState.start())
                        .cpus())
                .isEqualTo(CpuSet.range(0, 3));
        DynamicPlacement unknown =
                DynamicPlacement.of(MACHINE, DynamicPolicy.NODE, InterruptReference.unknown(), cpu(9));
        assertThat(unknown.decide(idle(1), DynamicState.start()).words()).isEqualTo("not bound");
        assertThat(unknown.notes()).contains("the disk's memory node is not known: threads are left to the kernel");
    }

    @Test
    void policyNoneBindsNothing() {
        DynamicPlacement placement = DynamicPlacement.of(MACHINE, DynamicPolicy.NONE, cpu(2), cpu(9));
        assertThat(placement.decide(idle(1), DynamicState.start()).binds()).isFalse();
        assertThatThrownBy(() -> DynamicPolicy.parse("best"))
                .isInstanceOf(PlacementException.class)
                .hasMessage("unknown policy 'best': choose one of interrupt, node, none");
    }

    private static LoadSnapshot idle(long number) {
        return LoadSnapshot.of(number, ALL, CpuSet.empty());
    }

    private static InterruptReference cpu(int cpu) {
        return InterruptReference.ofCpus(CpuSet.of(cpu));
    }

    private static DynamicPlacement placement(String disk, String network) {
        return DynamicPlacement.of(
                MACHINE,
                DynamicPolicy.INTERRUPT,
                InterruptReference.ofCpus(CpuSet.parseList(disk)),
                InterruptReference.ofCpus(CpuSet.parseList(network)));
    }

    private static String cpus(DynamicPlacement placement, AffinityClass kind) {
        return placement.cores(kind).stream()
                .map(ServiceCore::cpus)
                .reduce(CpuSet.empty(), CpuSet::union)
                .toString();
    }

    private static Topology machine() {
        return TopologyXml.parse(LayeredMachine.xml(2, 2, 2, 2));
    }
}
