package org.berth.spark.executor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.Slot;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Which CPUs of an executor are in use by tasks, and which a task gets next. Thread-safe; knows nothing of threads.
 *
 * <p>The places are PUs, cores, nodes or the slots of a plan, in an order in which neighbours are near each other.
 */
final class SlotTable {
    private final List<SlotUnit> units;
    private final MemoryMode memory;
    private final int[] load;
    private final int[] groupLoad;
    private final int[] groupSize;

    /** What a task has; immutable. */
    static final class Taken {
        private final int[] units;
        private final int wanted;
        private final CpuSet cpus;
        private final NodeSet nodes;
        private final boolean shared;

        private Taken(int[] units, int wanted, CpuSet cpus, NodeSet nodes, boolean shared) {
            this.units = units;
            this.wanted = wanted;
            this.cpus = cpus;
            this.nodes = nodes;
            this.shared = shared;
        }

        /** CPUs that somebody else keeps account of. */
        static Taken given(CpuSet cpus) {
            return new Taken(new int[0], 0, cpus, NodeSet.empty(), false);
        }

        /** Numbers of the places; empty when the CPUs were given. */
        List<Integer> units() {
            return Arrays.stream(units).boxed().toList();
        }

        /** Whether the CPUs were {@linkplain #given given}. */
        boolean isGiven() {
            return units.length == 0;
        }

        /** How many CPUs the task asked for. */
        int wanted() {
            return wanted;
        }

        CpuSet cpus() {
            return cpus;
        }

        /** Where new pages go; empty: where the kernel puts them. */
        NodeSet nodes() {
            return nodes;
        }

        /** Whether more tasks are there than the places have room for. */
        boolean shared() {
            return shared;
        }
    }

    private SlotTable(List<SlotUnit> units, MemoryMode memory) {
        this.units = units;
        this.memory = memory;
        this.load = new int[units.size()];
        int groups = units.stream().mapToInt(SlotUnit::group).max().orElseThrow() + 1;
        this.groupLoad = new int[groups];
        this.groupSize = new int[groups];
        units.forEach(unit -> groupSize[unit.group()] += unit.room());
    }

    /** The slots of a plan, one task each. */
    static SlotTable of(MemoryMode memory, List<Slot> slots) {
        List<SlotUnit> units = new ArrayList<>();
        for (Slot slot : slots) {
            units.add(new SlotUnit(slot.cpus(), slot.memoryNodes(), units.size(), 1, true));
        }
        return new SlotTable(units, memory);
    }

    /**
     * All of an executor's CPUs at a level: PUs, cores, or as many nodes or packages as it has.
     *
     * @throws IllegalArgumentException at level none, which has no places
     */
    static SlotTable of(Topology topology, AffinityLevel level, CpuSet cpus) {
        List<SlotUnit> units = new ArrayList<>();
        switch (level) {
            case NONE -> throw new IllegalArgumentException("level none binds no task");
            case NUMA, CPU -> {
                Topology part = topology.withAllowed(cpus, topology.allowedNodeSet());
                for (CpuSet domain : ExecutorShare.domains(part, level)) {
                    units.add(new SlotUnit(domain, NodeSet.empty(), units.size(), domain.size(), false));
                }
            }
            case CORE, PU -> {
                int group = 0;
                for (List<CpuSet> core : CoreUnits.cores(topology, cpus)) {
                    List<CpuSet> places = level == AffinityLevel.PU
                            ? core
                            : List.of(core.stream().reduce(CpuSet.empty(), CpuSet::union));
                    for (CpuSet place : places) {
                        units.add(new SlotUnit(place, NodeSet.empty(), group, place.size(), false));
                    }
                    group++;
                }
            }
        }
        return new SlotTable(units, MemoryMode.LOCAL);
    }

    /** The CPUs of each place, by its number. */
    List<CpuSet> cpus() {
        return units.stream().map(SlotUnit::cpus).toList();
    }

    /** What new pages of a task follow to the nodes of its place with. */
    MemoryMode memory() {
        return memory;
    }

    /**
     * Takes the least used places that have so many CPUs: of one core first, then near the first, and of equal ones those
     * that the thread is in already. Give them back with {@link #release}.
     */
    synchronized Taken take(int wanted, @Nullable Taken last) {
        if (last != null && last.wanted == wanted && last.units.length > 0 && isUntouched(last)) {
            return account(last.units, wanted, last);
        }
        int[] chosen = new int[Math.min(wanted, units.size())];
        int count = 0;
        for (int left = wanted; left > 0 && count < chosen.length; count++) {
            chosen[count] = next(chosen, count, last);
            left -= Math.min(left, units.get(chosen[count]).holds());
        }
        return account(Arrays.copyOf(chosen, count), wanted, last);
    }

    /** Nobody is in those cores, so nothing can be better. */
    private boolean isUntouched(Taken last) {
        for (int unit : last.units) {
            if (groupLoad[units.get(unit).group()] > 0) {
                return false;
            }
        }
        return true;
    }

    private int next(int[] chosen, int count, @Nullable Taken last) {
        int best = -1;
        long least = Long.MAX_VALUE;
        for (int unit = 0; unit < load.length; unit++) {
            if (contains(chosen, count, unit)) {
                continue;
            }
            long cost = cost(unit, count == 0 ? -1 : units.get(chosen[0]).group(), last);
            if (cost < least) {
                least = cost;
                best = unit;
            }
        }
        return best;
    }

    /** From the heaviest: tasks in turn, distance to what the task has already, use of the core, not where it was. */
    private long cost(int unit, int home, @Nullable Taken last) {
        int group = units.get(unit).group();
        long turns = load[unit] / units.get(unit).room();
        long distance = home < 0 ? 0 : Math.abs(group - home);
        long use = 1000L * groupLoad[group] / groupSize[group];
        boolean known = last != null && contains(last.units, last.units.length, unit);
        return ((Math.min(turns, 0x3fff) << 18 | Math.min(distance, 0x3ffff)) << 22 | Math.min(use, 0x1fffff)) << 1
                | (known ? 0 : 1);
    }

    private static boolean contains(int[] numbers, int count, int number) {
        for (int i = 0; i < count; i++) {
            if (numbers[i] == number) {
                return true;
            }
        }
        return false;
    }

    private Taken account(int[] chosen, int wanted, @Nullable Taken last) {
        boolean shared = change(chosen, wanted, 1);
        if (last != null && last.wanted == wanted && Arrays.equals(last.units, chosen)) {
            return shared == last.shared ? last : new Taken(last.units, wanted, last.cpus, last.nodes, shared);
        }
        CpuSet cpus = units.get(chosen[0]).cpus();
        NodeSet nodes = units.get(chosen[0]).nodes();
        for (int i = 1; i < chosen.length; i++) {
            cpus = cpus.union(units.get(chosen[i]).cpus());
            nodes = nodes.union(units.get(chosen[i]).nodes());
        }
        return new Taken(chosen, wanted, cpus, nodes, shared);
    }

    /** Gives back once what {@link #take} gave; of CPUs that Spark gave there is no account here. */
    synchronized void release(Taken taken) {
        change(taken.units, taken.wanted, -1);
    }

    /** Whether a place is now used by more than it has room for. */
    private boolean change(int[] chosen, int wanted, int sign) {
        int left = wanted;
        boolean over = false;
        for (int number : chosen) {
            SlotUnit unit = units.get(number);
            int part = unit.fixed() ? 1 : Math.min(left, unit.room());
            load[number] += sign * part;
            groupLoad[unit.group()] += sign * part;
            over |= load[number] > unit.room();
            left -= part;
        }
        // More CPUs are wanted than there are: the task shares with itself.
        return over || (left > 0 && !units.get(chosen[0]).fixed());
    }
}
