package org.berth.spark.executor;

import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * A slot for tasks.
 *
 * @param nodes where new pages of its tasks go; empty: where the kernel puts them
 * @param group slots with the same number are PUs of one core
 * @param room how many CPUs tasks can use at a time without sharing
 * @param fixed whether one is enough for a task, however many CPUs it asks for
 */
record TaskSlot(CpuSet cpus, NodeSet nodes, int group, int room, boolean fixed) {
    /** A slot with room for a task on each of its CPUs. */
    static TaskSlot of(CpuSet cpus, int group) {
        return new TaskSlot(cpus, NodeSet.empty(), group, cpus.size(), false);
    }

    /** How many of the CPUs that a task asks for it provides. */
    int holds() {
        return fixed ? Integer.MAX_VALUE : room;
    }
}
