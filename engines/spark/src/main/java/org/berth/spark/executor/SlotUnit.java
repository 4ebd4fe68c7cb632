package org.berth.spark.executor;

import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * A place for tasks.
 *
 * @param nodes where new pages of its tasks go; empty: where the kernel puts them
 * @param group places with the same number are PUs of one core
 * @param room how many CPUs tasks can use at a time without sharing
 * @param fixed whether one is enough for a task, however many CPUs it asks for
 */
record SlotUnit(CpuSet cpus, NodeSet nodes, int group, int room, boolean fixed) {
    /** How many CPUs of a task's wish it satisfies. */
    int holds() {
        return fixed ? Integer.MAX_VALUE : room;
    }
}
