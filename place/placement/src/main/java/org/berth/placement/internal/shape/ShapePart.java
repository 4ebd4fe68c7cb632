package org.berth.placement.internal.shape;

import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * The part of a host for one process. Immutable and safe for use by several threads.
 *
 * @param index its number, from 0
 * @param cpus its CPUs by osIndex, at least one; no other part has one of them
 * @param cores the cores that these CPUs are of, at least 1
 * @param memoryNodes the allowed memory nodes near the CPUs or of the requested place, by osIndex; all allowed ones when none is near
 * @param memoryBytes its share of the memory of these nodes; 0 when unknown, or when the nodes have none
 * @param heapBytes heap of its JVM, which fits into its memory; 0 when the memory is too small or unknown
 * @param reason why it has these CPUs, in one line
 * @since 0.1.0
 */
public record ShapePart(
        int index, CpuSet cpus, int cores, NodeSet memoryNodes, long memoryBytes, long heapBytes, String reason) {
    /** The heap as a JVM's {@code -Xmx} reads it, such as {@code 12g} or {@code 7936m}; 0m when there is none. */
    public String heapWord() {
        long mebibytes = heapBytes >> 20;
        return mebibytes > 0 && mebibytes % 1024 == 0 ? mebibytes / 1024 + "g" : mebibytes + "m";
    }
}
