package org.berth.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.berth.machines.Machines;
import org.berth.placement.AffinityLevel;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.TopologyXml;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** On two packages of 8 cores with two PUs each, where the core of CPU n has n and n + 16. */
class SlotTableTest {
    private static final long SEED = Long.getLong("berth.seed", System.nanoTime());
    private static final Topology MACHINE = TopologyXml.parse(Machines.xml("2x8x2"));
    private static final CpuSet FOUR_CORES = CpuSet.parseList("0-3,16-19");

    private static SlotTable table(AffinityLevel level) {
        return SlotTable.of(MACHINE, level, FOUR_CORES);
    }

    private static List<String> take(SlotTable table, int... cpus) {
        List<String> result = new ArrayList<>();
        for (int wanted : cpus) {
            SlotTable.Assignment taken = table.take(wanted, null);
            result.add(taken.cpus() + (taken.shared() ? " shared" : ""));
        }
        return result;
    }

    @Test
    void puLevelFillsTheCoresBeforeItsSecondPus() {
        assertThat(take(table(AffinityLevel.PU), 1, 1, 1, 1, 1, 1, 1, 1, 1))
                .containsExactly("0", "1", "2", "3", "16", "17", "18", "19", "0 shared");
    }

    @Test
    void taskOfSeveralCpusGetsPusOfOneCoreFirst() {
        assertThat(take(table(AffinityLevel.PU), 2, 1, 2, 3)).containsExactly("0,16", "1", "2,18", "3,17,19");
        assertThat(take(table(AffinityLevel.PU), 3, 4)).containsExactly("0-1,16", "2-3,18-19");
        assertThat(take(table(AffinityLevel.CORE), 1, 3, 2)).containsExactly("0,16", "1-2,17-18", "3,19");
        assertThat(take(table(AffinityLevel.PU), 9)).containsExactly("0-3,16-19 shared");
    }

    @Test
    void coreHasRoomForAsManyTasksAsPus() {
        assertThat(take(table(AffinityLevel.CORE), 1, 1, 1, 1, 1, 1, 1, 1, 1))
                .containsExactly("0,16", "1,17", "2,18", "3,19", "0,16", "1,17", "2,18", "3,19", "0,16 shared");
    }

    @Test
    void nodeLevelSpreadsOverTheNodesThatTheExecutorHas() {
        SlotTable both = SlotTable.of(MACHINE, AffinityLevel.NUMA, CpuSet.range(0, 31));
        assertThat(take(both, 1, 1, 1)).containsExactly("0-7,16-23", "8-15,24-31", "0-7,16-23");
        assertThat(take(table(AffinityLevel.NUMA), 1, 1)).containsExactly("0-3,16-19", "0-3,16-19");
    }

    @Test
    void ofEqualSlotsTheOneThatTheThreadHasAlready() {
        SlotTable table = table(AffinityLevel.PU);
        SlotTable.Assignment first = table.take(1, null);
        SlotTable.Assignment second = table.take(1, null);
        table.release(first);
        table.release(second);
        assertThat(table.take(1, second)).isSameAs(second);
        // Its core is half used, and others are not at all.
        table.take(2, null);
        table.take(1, null);
        table.release(second);
        assertThat(take(table, 2, 2)).containsExactly("1,17", "3,19");
    }

    /** Compared with a count by CPU: no task shares while there is room, and every slot is freed in the end. */
    @Test
    void noTaskSharesWhileASlotIsFree() {
        Random random = new Random(SEED);
        for (AffinityLevel level : List.of(AffinityLevel.PU, AffinityLevel.CORE)) {
            SlotTable table = SlotTable.of(MACHINE, level, CpuSet.range(0, 31));
            List<SlotTable.Assignment> held = new ArrayList<>();
            SlotTable.@Nullable Assignment last = null;
            for (int step = 0; step < 2000; step++) {
                if (held.size() < 32 && random.nextBoolean()) {
                    last = table.take(1, last);
                    held.add(last);
                    assertThat(last.shared()).as("seed " + SEED).isFalse();
                    assertThat(usersOfBusiestCore(held)).as("seed " + SEED).isLessThanOrEqualTo(2);
                } else if (!held.isEmpty()) {
                    last = held.remove(random.nextInt(held.size()));
                    table.release(last);
                }
            }
            held.forEach(table::release);
            assertThat(take(table, 2)).as("seed " + SEED).containsExactly("0,16");
        }
    }

    private static long usersOfBusiestCore(List<SlotTable.Assignment> held) {
        return MACHINE.objects(ObjectType.CORE).stream()
                .map(TopologyObject::cpuSet)
                .mapToLong(core -> held.stream()
                        .filter(taken -> taken.cpus().intersects(core))
                        .count())
                .max()
                .orElseThrow();
    }
}
