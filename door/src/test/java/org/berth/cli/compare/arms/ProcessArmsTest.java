package org.berth.cli.compare.arms;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.berth.binding.discovery.Discovery;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementPlan;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Test;

/** What a command of which nothing is known is compared at. */
final class ProcessArmsTest {
    private static final OrderedLevel NONE = OrderedLevel.parse("none");
    private static final OrderedLevel NUMA = OrderedLevel.parse("numa");
    private static final OrderedLevel PACKAGE = OrderedLevel.parse("package");
    private static final OrderedLevel L3_PACK = OrderedLevel.parse("l3-pack");
    private static final OrderedLevel L3_SPREAD = OrderedLevel.parse("l3-spread");
    private static final OrderedLevel CORE = OrderedLevel.parse("core");
    private static final OrderedLevel PU = OrderedLevel.parse("pu");
    private static final Topology SMALL = Discovery.synthetic("pack:1 core:2 pu:1");
    private static final Topology LARGE = Discovery.synthetic("pack:2 [numa] core:8 pu:2");

    /** Any command but a JVM is compared without the levels of single threads. */
    private static CompareArms arms(Topology machine, boolean jvm) {
        List<OrderedLevel> levels = new ArrayList<>(LevelChoice.all(machine));
        levels.removeIf(level -> !jvm && level.level().compareTo(AffinityLevel.CORE) >= 0);
        return ProcessArms.of(machine, levels, Optional.empty(), jvm);
    }

    private static PlacementPlan plan(CompareArms arms, OrderedLevel level) {
        return Objects.requireNonNull(arms.plans().get(level));
    }

    @Test
    void inAJvmEachJavaThreadGetsAPlaceAndNoCpuIsLost() {
        CompareArms jvm = arms(SMALL, true);

        assertThat(jvm.plans()).containsOnlyKeys(NONE, CORE);
        assertThat(plan(jvm, CORE).cpus()).isEqualTo(CpuSet.of(0, 1));
        assertThat(plan(jvm, CORE).rules())
                .singleElement()
                .satisfies(rule -> assertThat(rule.matches("main")).isTrue());
        assertThat(plan(jvm, CORE).slots()).allMatch(slot -> slot.cpus().size() == 1);
        assertThat(jvm.same()).containsEntry(PU, "same as core on this machine (one PU for each core)");
    }

    @Test
    void aLargeMachineTellsAllLevelsApart() {
        CompareArms any = arms(LARGE, false);

        assertThat(any.plans()).containsOnlyKeys(NONE, NUMA);
        assertThat(any.same())
                .isEqualTo(Map.of(PACKAGE, "same as numa on this machine (one NUMA node for each package)"));
        assertThat(plan(any, NUMA).cpus()).isEqualTo(CpuSet.range(0, 15));
        CompareArms jvm = arms(LARGE, true);
        assertThat(jvm.plans()).containsOnlyKeys(NONE, NUMA, CORE, PU);
        assertThat(plan(jvm, PU).cpus()).isEqualTo(CpuSet.range(0, 31));
    }

    /** Both arms of level l3 have as many cores, so that they differ in sharing alone. */
    @Test
    void cachesAreFilledOrSpreadOver() {
        Topology machine = Discovery.synthetic("pack:1 [numa] l3:4 core:4 pu:2");
        CompareArms any = arms(machine, false);

        assertThat(plan(any, L3_PACK).cpus()).isEqualTo(CpuSet.range(0, 7));
        assertThat(plan(any, L3_SPREAD).cpus()).isEqualTo(CpuSet.parseList("0-1,8-9,16-17,24-25"));
        CompareArms jvm = arms(machine, true);
        assertThat(slots(jvm, L3_PACK).subList(0, 9))
                .containsOnly("0-7", "8-15")
                .endsWith("0-7", "8-15");
        assertThat(slots(jvm, L3_SPREAD))
                .startsWith("0-7", "8-15", "16-23", "24-31", "0-7")
                .hasSize(32);
        assertThat(plan(jvm, L3_SPREAD).notes())
                .contains("each Java thread of the command is bound to one L3 cache, in turn");
    }

    private static List<String> slots(CompareArms arms, OrderedLevel level) {
        return plan(arms, level).slots().stream()
                .map(slot -> slot.cpus().toString())
                .toList();
    }

    /** The first nine cores of two packages of eight, as a container may have them. */
    @Test
    void aPackageWithOneCoreHoldsAsManyThreadsAsItHasCores() {
        Topology machine = LARGE.withAllowed(CpuSet.range(0, 17), NodeSet.full());
        List<String> each = List.of("0-1", "2-3", "4-5", "6-7", "8-9", "10-11", "12-13", "14-15", "16-17");

        assertThat(slots(arms(machine, true), CORE).subList(0, 9)).containsExactlyInAnyOrderElementsOf(each);
        assertThat(slots(arms(machine, true), PU)).doesNotHaveDuplicates().hasSize(18);
    }

    @Test
    void oneCpuLeavesNothingForAnyCommand() {
        Topology one = SMALL.withAllowed(CpuSet.of(1), NodeSet.full());

        assertThat(arms(one, false).plans()).containsOnlyKeys(NONE);
        assertThat(arms(one, true).plans().keySet()).contains(NONE).doesNotContain(PACKAGE, PU);
    }

    @Test
    void aNumberOfThreadsIsThatOfRun() {
        CompareArms arms = ProcessArms.of(LARGE, LevelChoice.parse("none,pu"), Optional.of(1), true);

        assertThat(plan(arms, PU).cpus()).isEqualTo(CpuSet.of(0));
        assertThat(plan(arms, PU).rules()).isEmpty();
    }
}
