package org.berth.placement;

import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * One CPU set for one thread, with the memory nodes that belong to it.
 *
 * @param index position in the plan, from 0
 * @param worker the process that it belongs to, from 0
 * @param thread the thread of that worker, from 0
 * @param role what kind of thread it is for; ordinary slots have {@link #TASK}
 * @param cpus kernel numbers of the PUs that the thread may run on; finite, not empty
 * @param memoryNodes kernel numbers of the NUMA nodes for its memory; finite, empty when the machine names none
 * @param reason why these CPUs, as one line for people
 * @since 0.1.0
 */
public record Slot(int index, int worker, int thread, String role, CpuSet cpus, NodeSet memoryNodes, String reason) {
    /** The role of ordinary slots. */
    public static final String TASK = "task";

    /** @throws IllegalArgumentException when a part is not as described above */
    public Slot {
        if (index < 0 || worker < 0 || thread < 0) {
            throw new IllegalArgumentException(
                    "slot " + index + " of worker " + worker + ", thread " + thread + ": numbers start at 0");
        }
        PlanLine.requireRole(role);
        if (cpus.isEmpty() || cpus.isInfinite()) {
            throw new IllegalArgumentException("slot " + index + " needs a finite set of CPUs, at least one");
        }
        if (memoryNodes.isInfinite()) {
            throw new IllegalArgumentException("slot " + index + " needs a finite set of memory nodes");
        }
        PlanLine.requireFreeText("reason", reason);
    }
}
