package org.berth.placement;

import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * One CPU set for one thread, with the memory nodes that belong to it. Immutable and thread-safe; each {@code with…} method returns
 * a changed copy.
 *
 * @since 0.1.0
 */
public final class Slot {
    /** The role of ordinary slots. */
    public static final String TASK = "task";

    private final Parts parts;

    private Slot(Parts parts) {
        this.parts = parts;
    }

    /** Each part is checked where it is set: a plan has thousands of slots. */
    private record Parts(
            int index, int worker, int thread, String role, CpuSet cpus, NodeSet memoryNodes, String reason) {}

    private static void requireNumbers(int index, int worker, int thread) {
        if (index < 0 || worker < 0 || thread < 0) {
            throw new IllegalArgumentException(
                    "slot " + index + " of worker " + worker + ", thread " + thread + ": numbers start at 0");
        }
    }

    /**
     * An ordinary slot of the first process, whose thread has the number of the slot, without memory nodes.
     *
     * @param index position in the plan, from 0
     * @param cpus kernel numbers of the PUs that the thread may run on; finite, not empty
     * @throws IllegalArgumentException when a part is not as described
     */
    public static Slot of(int index, CpuSet cpus) {
        requireNumbers(index, 0, index);
        if (cpus.isEmpty() || cpus.isInfinite()) {
            throw new IllegalArgumentException("slot " + index + " needs a finite set of CPUs, at least one");
        }
        return new Slot(new Parts(index, 0, index, TASK, cpus, NodeSet.empty(), ""));
    }

    /** The same for this thread of this process, both from 0; IllegalArgumentException below that. */
    public Slot withThread(int worker, int thread) {
        requireNumbers(parts.index, worker, thread);
        return new Slot(
                new Parts(parts.index, worker, thread, parts.role, parts.cpus, parts.memoryNodes, parts.reason));
    }

    /** The same for another kind of thread; IllegalArgumentException when the role is no word. */
    public Slot withRole(String role) {
        PlanLine.requireRole(role);
        return new Slot(
                new Parts(parts.index, parts.worker, parts.thread, role, parts.cpus, parts.memoryNodes, parts.reason));
    }

    /** The same with these NUMA nodes (kernel numbers) for the thread's memory; IllegalArgumentException for infinite ones. */
    public Slot withMemoryNodes(NodeSet nodes) {
        if (nodes.isInfinite()) {
            throw new IllegalArgumentException("slot " + parts.index + " needs a finite set of memory nodes");
        }
        return new Slot(
                new Parts(parts.index, parts.worker, parts.thread, parts.role, parts.cpus, nodes, parts.reason));
    }

    /** The same with why it has these CPUs; IllegalArgumentException for a control character. */
    public Slot withReason(String reason) {
        PlanLine.requireFreeText("reason", reason);
        return new Slot(
                new Parts(parts.index, parts.worker, parts.thread, parts.role, parts.cpus, parts.memoryNodes, reason));
    }

    /** The position in the plan, from 0. */
    public int index() {
        return parts.index;
    }

    /** The process that it belongs to, from 0. */
    public int worker() {
        return parts.worker;
    }

    /** The thread of that process, from 0. */
    public int thread() {
        return parts.thread;
    }

    /** What kind of thread it is for; ordinary slots have {@link #TASK}. */
    public String role() {
        return parts.role;
    }

    /** Kernel numbers of the PUs that the thread may run on; finite, not empty. */
    public CpuSet cpus() {
        return parts.cpus;
    }

    /** Kernel numbers of the NUMA nodes for its memory; finite, empty when the machine names none. */
    public NodeSet memoryNodes() {
        return parts.memoryNodes;
    }

    /** Why it has these CPUs, as one line for people. */
    public String reason() {
        return parts.reason;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Slot slot && parts.equals(slot.parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    /** All parts, for a log; its form may change. */
    @Override
    public String toString() {
        return parts.toString().replaceFirst("Parts", "Slot");
    }
}
