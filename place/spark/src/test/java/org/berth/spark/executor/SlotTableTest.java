package org.berth.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.machines.RandomMachine;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.OrderedLevel;
import org.berth.placement.Slot;
import org.berth.placement.internal.host.HostDivision;
import org.berth.spark.settings.CpuAmount;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On two packages of 8 cores with two PUs each, where the core of CPU n has n and n + 16. */
class SlotTableTest {
    private static final long SEED = Long.getLong("berth.seed", System.nanoTime());
    private static final Topology MACHINE = TopologyXml.parse(Machines.xml("2x8x2"));
    private static final CpuSet FOUR_CORES = CpuSet.parseList("0-3,16-19");

    private static SlotTable table(AffinityLevel level) {
        return SlotTable.of(MACHINE, OrderedLevel.of(level), FOUR_CORES);
    }

    private static List<String> take(SlotTable table, double... cpus) {
        List<String> result = new ArrayList<>();
        for (double wanted : cpus) {
            SlotTable.Assignment taken = table.take(Math.round(wanted * CpuAmount.ONE), null);
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

    /** The number that Spark starts at a time when a task counts for less than a CPU, or for one and a half. */
    @Test
    void tasksOfHalfACpuShareASlotInPairs() {
        double half = 0.5;
        SlotTable two = SlotTable.of(MACHINE, OrderedLevel.of(AffinityLevel.PU), CpuSet.of(0, 1));
        assertThat(take(two, half, half, half, half, half)).containsExactly("0", "1", "0", "1", "0 shared");
        SlotTable one = SlotTable.of(MACHINE, OrderedLevel.of(AffinityLevel.CORE), CpuSet.of(0, 16));
        assertThat(take(one, half, half, half, half, half))
                .containsExactly("0,16", "0,16", "0,16", "0,16", "0,16 shared");
        assertThat(take(table(AffinityLevel.PU), 1.5, 1.5)).containsExactly("0,16", "1,17");
        // No half slot is left to a whole task while another is free.
        SlotTable halves = SlotTable.of(MACHINE, OrderedLevel.of(AffinityLevel.PU), CpuSet.of(0, 1, 16));
        assertThat(take(halves, half, 1, 1, half)).containsExactly("0", "1", "16", "0");
    }

    @Test
    void slotsOfAPlanAreForTasksOfACpuInAll() {
        List<Slot> plan =
                IntStream.of(0, 1).mapToObj(cpu -> Slot.of(cpu, CpuSet.of(cpu))).toList();
        assertThat(take(SlotTable.of(MemoryMode.LOCAL, plan), 0.5, 0.5, 0.5, 0.5, 0.5))
                .containsExactly("0", "1", "0", "1", "0 shared");
        assertThat(take(SlotTable.of(MemoryMode.LOCAL, plan), 3, 3, 1)).containsExactly("0", "1", "0 shared");
    }

    @Test
    void coreHasRoomForAsManyTasksAsPus() {
        assertThat(take(table(AffinityLevel.CORE), 1, 1, 1, 1, 1, 1, 1, 1, 1))
                .containsExactly("0,16", "1,17", "2,18", "3,19", "0,16", "1,17", "2,18", "3,19", "0,16 shared");
    }

    @Test
    void nodeLevelSpreadsOverTheNodesThatTheExecutorHas() {
        SlotTable both = SlotTable.of(MACHINE, OrderedLevel.of(AffinityLevel.NUMA), CpuSet.range(0, 31));
        assertThat(take(both, 1, 1, 1)).containsExactly("0-7,16-23", "8-15,24-31", "0-7,16-23");
        assertThat(take(table(AffinityLevel.NUMA), 1, 1)).containsExactly("0-3,16-19", "0-3,16-19");
    }

    @Test
    void ofEqualSlotsAThreadKeepsTheOneThatItHas() {
        SlotTable table = table(AffinityLevel.PU);
        SlotTable.Assignment first = table.take(CpuAmount.ONE, null);
        SlotTable.Assignment second = table.take(CpuAmount.ONE, null);
        table.release(first);
        table.release(second);
        assertThat(table.take(CpuAmount.ONE, second)).isSameAs(second);
        // Its core is half used, and others are not at all.
        table.take(CpuAmount.of(2), null);
        table.take(CpuAmount.ONE, null);
        table.release(second);
        assertThat(take(table, 2, 2)).containsExactly("1,17", "3,19");
    }

    /** Compared with a count by CPU: no task shares while there is room, and every slot is freed in the end. */
    @Test
    void noTaskSharesWhileASlotIsFree() {
        Random random = new Random(SEED);
        for (AffinityLevel level : List.of(AffinityLevel.PU, AffinityLevel.CORE)) {
            SlotTable table = SlotTable.of(MACHINE, OrderedLevel.of(level), CpuSet.range(0, 31));
            List<SlotTable.Assignment> held = new ArrayList<>();
            SlotTable.@Nullable Assignment last = null;
            for (int step = 0; step < 2000; step++) {
                if (held.size() < 32 && random.nextBoolean()) {
                    last = table.take(CpuAmount.ONE, last);
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

    @Test
    void cachesAreFilledOrSpreadOver() {
        Topology epyc = TopologyXml.parse(Machines.xml("epyc7002-nps1"));
        CpuSet three = CpuSet.parseList("0-11,64-75");
        List<String> first = take(SlotTable.of(epyc, OrderedLevel.parse("l3"), three), 1, 1, 7, 1);
        assertThat(first).containsExactly("0-3,64-67", "0-3,64-67", "4-7,68-71", "4-7,68-71");
        assertThat(take(SlotTable.of(epyc, OrderedLevel.parse("l3-spread"), three), 1, 1, 1, 2, 1))
                .containsExactly("0-3,64-67", "4-7,68-71", "8-11,72-75", "0-3,64-67", "4-7,68-71");
        assertThat(take(SlotTable.of(epyc, OrderedLevel.parse("core-spread"), three), 1, 1, 1, 1))
                .containsExactly("0,64", "4,68", "8,72", "1,65");
    }

    /** Caches of 96 and 32 MiB with 16 CPUs each: only spread-all uses the small one before the large one is full. */
    @Test
    void unlikeCachesAreTakenOneAfterTheOther() {
        Topology machine = TopologyXml.parse(Machines.xml("x3d"));
        for (String level : List.of("l3", "l3-spread")) {
            assertThat(take(SlotTable.of(machine, OrderedLevel.parse(level), machine.cpuSet()), 1, 1, 14, 1))
                    .as(level)
                    .containsExactly("0-7,16-23", "0-7,16-23", "0-7,16-23", "8-15,24-31");
        }
        assertThat(take(SlotTable.of(machine, OrderedLevel.parse("l3-spread-all"), machine.cpuSet()), 1, 1, 1))
                .containsExactly("0-7,16-23", "8-15,24-31", "0-7,16-23");
    }

    static Stream<String> machines() {
        return Stream.concat(
                Machines.all().stream(),
                Stream.concat(
                        Machines.servers().stream(), LongStream.range(0, 30).mapToObj(i -> "random " + (SEED + i))));
    }

    /** No cache has more tasks than CPUs while another has a CPU without one, in any order of tasks that come and go. */
    @ParameterizedTest
    @MethodSource("machines")
    void noCacheIsOverfullWhileAnotherIdles(String name) {
        Topology machine = TopologyXml.parse(
                name.startsWith("random ") ? RandomMachine.xml(Long.parseLong(name.substring(7))) : Machines.xml(name));
        CpuSet all = machine.allowedCpuSet().intersection(machine.cpuSet());
        Random random = new Random(SEED);
        for (String word : List.of("l3", "l3-spread", "l3-spread-all")) {
            SlotTable table = SlotTable.of(machine, OrderedLevel.parse(word), all);
            List<SlotTable.Assignment> held = new ArrayList<>();
            SlotTable.@Nullable Assignment last = null;
            for (int step = 0; step < 400; step++) {
                String what = name + ", " + word + ", step " + step + ", seed " + SEED;
                if (held.size() < all.size() && random.nextInt(3) > 0) {
                    last = table.take(CpuAmount.ONE, last);
                    held.add(last);
                    assertThat(last.shared()).as(what).isFalse();
                } else if (!held.isEmpty()) {
                    last = held.remove(random.nextInt(held.size()));
                    table.release(last);
                }
                for (CpuSet cache : table.cpus()) {
                    long tasks = held.stream()
                            .filter(taken -> taken.cpus().equals(cache))
                            .count();
                    assertThat(tasks).as(what).isLessThanOrEqualTo(cache.size());
                }
            }
        }
    }

    /** Tasks that start on an idle executor are spread evenly: fullest and emptiest cache differ by less than a task. */
    @ParameterizedTest
    @ValueSource(strings = {"epyc7002-nps1", "epyc7003-nps1", "epyc9004-nps4"})
    void autoSpreadsTasksEvenly(String name) {
        Topology machine = TopologyXml.parse(Machines.xml(name));
        HostDivision division = HostDivision.of(machine, Optional.empty(), 0, false);
        SlotTable table = SlotTable.of(machine, division.level(), machine.allowedCpuSet());
        Map<CpuSet, Integer> loads = new HashMap<>();
        for (int task = 1; task <= machine.allowedCpuSet().size(); task++) {
            loads.merge(table.take(CpuAmount.ONE, null).cpus(), 1, Integer::sum);
            int least = task < table.cpus().size() ? 0 : Collections.min(loads.values());
            assertThat(Collections.max(loads.values()) - least).isLessThanOrEqualTo(1);
        }
        assertThat(loads).hasSize(machine.count(ObjectType.L3_CACHE));
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
