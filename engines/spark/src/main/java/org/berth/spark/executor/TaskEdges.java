package org.berth.spark.executor;

import java.util.Arrays;
import java.util.List;
import org.berth.placement.SoftEdges;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** The CPUs of tasks in slots whose edges open and close. Thread-safe. */
final class TaskEdges {
    private final List<CpuSet> reaches;
    private final boolean[] open;

    private TaskEdges(List<CpuSet> reaches, boolean isOpen) {
        this.reaches = reaches;
        this.open = new boolean[reaches.size()];
        Arrays.fill(open, isOpen);
    }

    /** Edges that never open. */
    static TaskEdges hard(SlotTable table) {
        return new TaskEdges(table.cpus(), false);
    }

    /** Edges that are open, to the last-level cache of each slot; hard ones where that gives no slot more CPUs. */
    static TaskEdges soft(SlotTable table, Topology topology, CpuSet domain) {
        List<CpuSet> reaches = table.cpus().stream()
                .map(slot -> SoftEdges.reach(topology, slot, domain))
                .toList();
        return new TaskEdges(reaches, !reaches.equals(table.cpus()));
    }

    /** Whether some edge is open. */
    synchronized boolean isAnyOpen() {
        for (boolean one : open) {
            if (one) {
                return true;
            }
        }
        return false;
    }

    /** Slots with the same reach have the same number. */
    List<Integer> groups() {
        List<CpuSet> different = reaches.stream().distinct().toList();
        return reaches.stream().map(different::indexOf).toList();
    }

    synchronized void change(int slot, boolean isOpen) {
        open[slot] = isOpen;
    }

    /** The CPUs that a task may use at present. */
    synchronized CpuSet cpus(SlotTable.Assignment assignment) {
        CpuSet cpus = assignment.cpus();
        for (int i = 0; i < assignment.slots().size(); i++) {
            int slot = assignment.slots().get(i);
            if (open[slot]) {
                // The usual case, without a new set: one slot, whose reach holds it.
                cpus = assignment.slots().size() == 1 ? reaches.get(slot) : cpus.union(reaches.get(slot));
            }
        }
        return cpus;
    }
}
