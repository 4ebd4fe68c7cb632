package org.berth.spark.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.OrderedLevel;
import org.berth.placement.Slot;
import org.berth.placement.ThreadOrder;
import org.berth.spark.settings.CpuAmount;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Which slots of an executor are in use by tasks, and which a task gets next. Thread-safe; knows nothing of threads.
 *
 * <p>The slots are PUs, cores, L3 caches, nodes, packages or those of a plan, in an order in which neighbours are near
 * each other.
 */
final class SlotTable {
    private final List<TaskSlot> slots;
    private final MemoryMode memory;
    // As CpuAmount has it.
    private final long[] load;
    private final long[] groupLoad;
    private final long[] groupRoom;
    private final long[] cacheLoad;
    private final long[] cacheRoom;
    /** Whether a slot has room for several tasks, and holds all CPUs of each. */
    private final boolean coarse;
    /** Whether one L3 cache is filled before the next. */
    private final boolean packed;
    /** Whether a slot without tasks may still be worse than another. */
    private final boolean cachesDiffer;

    /**
     * What a task has.
     *
     * @param slots numbers of its slots; none when Spark chose the CPUs
     * @param wanted what the task asked for, as {@link CpuAmount} has it
     * @param nodes where new pages go; empty: where the kernel puts them
     * @param shared whether there are more tasks than the slots have room for
     */
    record Assignment(List<Integer> slots, long wanted, CpuSet cpus, NodeSet nodes, boolean shared) {
        /** CPUs that Spark's scheduler keeps account of. */
        static Assignment given(CpuSet cpus) {
            return new Assignment(List.of(), 0, cpus, NodeSet.empty(), false);
        }

        /** Whether Spark's scheduler chose the CPUs. */
        boolean isGiven() {
            return slots.isEmpty();
        }

        /** Does the same as {@code contains}, without an Integer for each slot of a large machine. */
        private boolean has(int slot) {
            for (int i = 0; i < slots.size(); i++) {
                if (slots.get(i) == slot) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * A slot that a task could get.
     *
     * @param turns how often tasks fill it already when this one has its place
     * @param distance from the first slot that the task has got, in cores
     * @param rank as {@link TaskSlot#rank} has it
     * @param cacheUse tasks in its L3 cache, in thousandths of the room there; negative where a cache is to be filled
     * @param coreUse tasks on its core, in thousandths of the room there
     * @param isNew whether the thread had another slot before
     */
    private record Candidate(int slot, int turns, int distance, int rank, int cacheUse, int coreUse, boolean isNew) {
        /**
         * Compares components from the most to the least important; a chain of Comparators took three times as long.
         */
        boolean isBetterThan(Candidate other) {
            if (turns != other.turns) {
                return turns < other.turns;
            }
            if (distance != other.distance) {
                return distance < other.distance;
            }
            if (rank != other.rank) {
                return rank < other.rank;
            }
            if (cacheUse != other.cacheUse) {
                return cacheUse < other.cacheUse;
            }
            if (coreUse != other.coreUse) {
                return coreUse < other.coreUse;
            }
            return !isNew && other.isNew;
        }
    }

    private SlotTable(List<TaskSlot> slots, MemoryMode memory, OrderedLevel level) {
        this.slots = List.copyOf(slots);
        this.memory = memory;
        this.coarse = level.level().compareTo(AffinityLevel.CORE) < 0;
        this.packed = level.level() == AffinityLevel.L3 && level.order() == ThreadOrder.PACK;
        this.load = new long[slots.size()];
        int groups = slots.stream().mapToInt(TaskSlot::group).max().orElseThrow() + 1;
        this.groupLoad = new long[groups];
        this.groupRoom = new long[groups];
        int caches = slots.stream().mapToInt(TaskSlot::cache).max().orElseThrow() + 1;
        this.cacheLoad = new long[caches];
        this.cacheRoom = new long[caches];
        for (TaskSlot slot : slots) {
            groupRoom[slot.group()] += slot.room();
            cacheRoom[slot.cache()] += slot.room();
        }
        this.cachesDiffer =
                caches > 1 || slots.stream().map(TaskSlot::rank).distinct().count() > 1;
    }

    /** The slots of a plan, one task each, or as many as share a CPU. */
    static SlotTable of(MemoryMode memory, List<Slot> plan) {
        List<TaskSlot> slots = new ArrayList<>();
        for (Slot slot : plan) {
            slots.add(TaskSlot.planned(slot.cpus(), slot.memoryNodes(), slots.size()));
        }
        return new SlotTable(slots, memory, OrderedLevel.of(AffinityLevel.CORE));
    }

    /**
     * All of an executor's CPUs at a level: PUs, cores, or as many L3 caches, nodes or packages as it has.
     *
     * @throws IllegalArgumentException at level none, which has no slots
     */
    static SlotTable of(Topology topology, OrderedLevel level, CpuSet cpus) {
        return new SlotTable(TaskSlots.of(topology, level, cpus), MemoryMode.LOCAL, level);
    }

    /** One slot for all tasks. */
    static SlotTable whole(CpuSet cpus) {
        return new SlotTable(List.of(TaskSlot.of(cpus, 0)), MemoryMode.LOCAL, OrderedLevel.of(AffinityLevel.PACKAGE));
    }

    /** The CPUs of each slot, by its number. */
    List<CpuSet> cpus() {
        return slots.stream().map(TaskSlot::cpus).toList();
    }

    /** How new pages of a task are bound to the nodes of its slot. */
    MemoryMode memory() {
        return memory;
    }

    /**
     * Takes the least used slots with that amount of CPUs: of one core first, then near the first, and of equal ones
     * those that the thread has already. Return them with {@link #release}.
     *
     * @param last what the thread had before; null when it had nothing
     */
    synchronized Assignment take(long wanted, @Nullable Assignment last) {
        if (last != null && last.wanted == wanted && !last.isGiven() && !cachesDiffer && isUntouched(last)) {
            return account(last.slots, wanted, last);
        }
        List<Integer> chosen = new ArrayList<>(1);
        for (long left = wanted; left > 0 && chosen.size() < slots.size(); ) {
            int next = next(left, chosen, last);
            chosen.add(next);
            left -= Math.min(left, slots.get(next).holds());
        }
        return account(List.copyOf(chosen), wanted, last);
    }

    /** Whether no task uses those cores: then no other slots can be better. */
    private boolean isUntouched(Assignment last) {
        for (int slot : last.slots) {
            if (groupLoad[slots.get(slot).group()] > 0) {
                return false;
            }
        }
        return true;
    }

    private int next(long wanted, List<Integer> chosen, @Nullable Assignment last) {
        int first = chosen.isEmpty() ? -1 : slots.get(chosen.get(0)).group();
        @Nullable Candidate best = null;
        for (int slot = 0; slot < load.length; slot++) {
            Candidate candidate = candidate(slot, wanted, first, last);
            if ((best == null || candidate.isBetterThan(best)) && !chosen.contains(slot)) {
                best = candidate;
            }
        }
        return Objects.requireNonNull(best).slot;
    }

    /** @param first group of the first slot that the task has got; negative when it has none */
    private Candidate candidate(int number, long wanted, int first, @Nullable Assignment last) {
        TaskSlot slot = slots.get(number);
        int group = slot.group();
        int cacheUse = (int) (1000 * cacheLoad[slot.cache()] / cacheRoom[slot.cache()]);
        // A task of several CPUs does not fit into what is left for one, and one of a CPU not into half of it.
        long needed = Math.min(wanted, coarse ? slot.room() : CpuAmount.ONE);
        return new Candidate(
                number,
                (int) ((load[number] + needed - 1) / slot.room()),
                first < 0 ? 0 : Math.abs(group - first),
                slot.rank(),
                packed ? -cacheUse : cacheUse,
                (int) (1000 * groupLoad[group] / groupRoom[group]),
                last == null || !last.has(number));
    }

    private Assignment account(List<Integer> chosen, long wanted, @Nullable Assignment last) {
        boolean shared = change(chosen, wanted, 1);
        if (last != null && last.wanted == wanted && last.slots.equals(chosen)) {
            return shared == last.shared ? last : new Assignment(chosen, wanted, last.cpus, last.nodes, shared);
        }
        CpuSet cpus = CpuSet.empty();
        NodeSet nodes = NodeSet.empty();
        for (int slot : chosen) {
            cpus = cpus.union(slots.get(slot).cpus());
            nodes = nodes.union(slots.get(slot).nodes());
        }
        return new Assignment(chosen, wanted, cpus, nodes, shared);
    }

    /** Returns what {@link #take} gave, once; CPUs that Spark gave have no account here. */
    synchronized void release(Assignment taken) {
        change(taken.slots, taken.wanted, -1);
    }

    /** Returns whether more tasks use a slot now than it has room for. */
    private boolean change(List<Integer> chosen, long wanted, int sign) {
        long left = wanted;
        boolean over = false;
        for (int number : chosen) {
            TaskSlot slot = slots.get(number);
            long used = Math.min(left, slot.room());
            load[number] += sign * used;
            groupLoad[slot.group()] += sign * used;
            cacheLoad[slot.cache()] += sign * used;
            over |= load[number] > slot.room();
            left -= used;
        }
        // The task wants more CPUs than there are, and shares with itself.
        return over || (left > 0 && !slots.get(chosen.get(0)).fixed());
    }
}
