package org.berth.cli.compare.arms;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.berth.binding.discovery.Discovery;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementPlan;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Test;

final class CompareArmsTest {
    private static final OrderedLevel NONE = OrderedLevel.parse("none");
    private static final OrderedLevel NUMA = OrderedLevel.parse("numa");
    private static final OrderedLevel PACKAGE = OrderedLevel.parse("package");
    private static final OrderedLevel L3_PACK = OrderedLevel.parse("l3-pack");
    private static final OrderedLevel L3_SPREAD = OrderedLevel.parse("l3-spread");
    private static final OrderedLevel CORE = OrderedLevel.parse("core");
    private static final OrderedLevel PU = OrderedLevel.parse("pu");

    private static CompareArms arms(Topology machine, Integer... threads) {
        return CompareArms.of(
                machine,
                List.of(NONE, PACKAGE, CORE, PU),
                List.of(threads).stream().findFirst(),
                List.of());
    }

    @Test
    void aSmallMachineTellsOnlyTwoLevelsApart() {
        CompareArms arms = arms(Discovery.synthetic("pack:1 core:2 pu:1"));

        assertThat(arms.plans()).containsOnlyKeys(NONE, CORE);
        assertThat(arms.same())
                .isEqualTo(Map.of(
                        PACKAGE, "same as none on this machine (one package)",
                        PU, "same as core on this machine (one PU for each core)"));
    }

    @Test
    void everyArmHasTheSameThreadsAndTogetherTheSameCpus() {
        Topology machine = Discovery.synthetic("pack:2 l3:1 core:8 pu:2");
        CompareArms arms = arms(machine);

        assertThat(arms.plans()).containsOnlyKeys(NONE, PACKAGE, CORE, PU);
        assertThat(arms.threads()).isEqualTo(32);
        for (PlacementPlan plan : arms.plans().values()) {
            assertThat(plan.workers()).isEqualTo(2);
            assertThat(plan.slots()).hasSize(32);
            assertThat(plan.cpus().toString()).isEqualTo(machine.cpuSet().toString());
        }
    }

    @Test
    void packagesThatMayNotBeUsedGetNoWorker() {
        Topology machine = Discovery.synthetic("pack:2 core:4 pu:1").withAllowed(CpuSet.range(0, 3), NodeSet.full());

        assertThat(arms(machine).plans().values()).allMatch(plan -> plan.workers() == 1);
        assertThat(arms(machine, 3).threads()).isEqualTo(3);
    }

    @Test
    void oneCpuLeavesNothingToCompare() {
        CompareArms arms = arms(Discovery.synthetic("pack:1 core:1 pu:1"));

        assertThat(arms.plans()).containsOnlyKeys(NONE);
        assertThat(arms.same()).containsEntry(PU, "same as none on this machine (one CPU)");
    }

    @Test
    void nodesAreALevelWhereThereAreSeveral() {
        Topology machine = Discovery.synthetic("pack:2 [numa] core:4 pu:1");
        List<OrderedLevel> levels = LevelChoice.all(machine);

        assertThat(levels).containsExactly(NONE, NUMA, PACKAGE, CORE, PU);
        assertThat(LevelChoice.all(Discovery.synthetic("pack:2 core:4 pu:1"))).containsExactly(NONE, PACKAGE, CORE, PU);
        CompareArms arms = CompareArms.of(machine, levels, Optional.empty(), List.of());
        assertThat(arms.plans()).containsOnlyKeys(NONE, NUMA, CORE);
        assertThat(arms.same()).containsEntry(PACKAGE, "same as numa on this machine (one NUMA node for each package)");
    }

    /** Two workers on four nodes would leave half of the machine unused at one level only. */
    @Test
    void severalNodesOfAPackageAreAllUsed() {
        Topology machine = Discovery.synthetic("pack:2 numa:2 core:4 pu:2");
        CompareArms arms = CompareArms.of(machine, LevelChoice.all(machine), Optional.empty(), List.of());

        assertThat(arms.plans()).containsOnlyKeys(NONE, NUMA, PACKAGE, CORE, PU);
        for (PlacementPlan plan : arms.plans().values()) {
            assertThat(plan.workers()).isEqualTo(4);
            assertThat(plan.slots()).hasSize(32);
            assertThat(plan.cpus()).isEqualTo(machine.cpuSet());
        }
    }

    /** One node of several caches: with fewer threads than PUs, filling and spreading differ. */
    @Test
    void cachesAreTwoArmsWhereThereAreSeveral() {
        Topology machine = Discovery.synthetic("pack:1 [numa] l3:4 core:4 pu:2");
        List<OrderedLevel> levels = LevelChoice.all(machine);

        assertThat(levels).containsExactly(NONE, PACKAGE, L3_PACK, L3_SPREAD, CORE, PU);
        CompareArms some = CompareArms.of(machine, levels, Optional.of(8), List.of());
        assertThat(some.plans()).containsOnlyKeys(NONE, L3_PACK, L3_SPREAD, CORE, PU);
        assertThat(Objects.requireNonNull(some.plans().get(L3_PACK)).cpus().toString())
                .isEqualTo("0-7");
        assertThat(Objects.requireNonNull(some.plans().get(L3_SPREAD)).cpus()).isEqualTo(machine.cpuSet());
        CompareArms all = CompareArms.of(machine, levels, Optional.empty(), List.of());
        assertThat(all.same())
                .containsEntry(
                        L3_SPREAD,
                        "same as l3-pack on this machine (the threads fill every L3 cache, or there is one for each worker)");
    }

    @Test
    void levelsAreReadInOrder() {
        assertThat(LevelChoice.parse("core, none,numa")).containsExactly(CORE, NONE, NUMA);
        assertThat(LevelChoice.parse("l3,l3-spread")).containsExactly(L3_PACK, L3_SPREAD);
        assertThat(Optional.of(LevelChoice.parse("none"))).contains(List.of(NONE));
    }
}
