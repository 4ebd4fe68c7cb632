package org.berth.spark.executor;

import org.berth.spark.settings.CpuAmount;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * A slot for tasks.
 *
 * @param nodes where new pages of its tasks go; empty: where the kernel puts them
 * @param group slots with the same number are PUs of one core
 * @param cache slots with the same number are in one L3 cache, where tasks are spread over caches; otherwise 0
 * @param rank slots with a higher number are taken when those of lower ones have no room: slower CPUs, smaller caches
 * @param room what tasks can use at a time without sharing, as {@link CpuAmount} has it
 * @param fixed whether one is enough for a task, however many CPUs it asks for
 */
record TaskSlot(CpuSet cpus, NodeSet nodes, int group, int cache, int rank, long room, boolean fixed) {
    /** A slot of a plan, for one task. */
    static TaskSlot planned(CpuSet cpus, NodeSet nodes, int group) {
        return new TaskSlot(cpus, nodes, group, 0, 0, CpuAmount.ONE, true);
    }

    /** A slot with room for a whole CPU of tasks on each of its CPUs. */
    static TaskSlot of(CpuSet cpus, int group) {
        return new TaskSlot(cpus, NodeSet.empty(), group, 0, 0, CpuAmount.of(cpus.size()), false);
    }

    /** The same in an L3 cache. */
    TaskSlot in(int newCache, int newRank) {
        return new TaskSlot(cpus, nodes, group, newCache, newRank, room, fixed);
    }

    /** How much of what a task asks for it provides at most. */
    long holds() {
        return fixed ? Long.MAX_VALUE : room;
    }
}
