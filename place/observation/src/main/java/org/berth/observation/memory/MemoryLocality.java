package org.berth.observation.memory;

import java.util.Map;
import org.berth.topology.NodeSet;

/**
 * How much of a process' own memory is where it should be; pages of files are not counted. Immutable.
 *
 * @param nearBytes bytes on the nodes that were asked about
 * @param totalBytes all its own bytes in memory
 * @since 0.1.0
 */
public record MemoryLocality(long nearBytes, long totalBytes) {
    /** Counts the pages of a snapshot on some nodes. */
    public static MemoryLocality of(MemorySnapshot memory, NodeSet near) {
        long nearBytes = 0;
        long totalBytes = 0;
        for (Map.Entry<Integer, Long> node : memory.ownBytesByNode().entrySet()) {
            nearBytes += near.contains(node.getKey()) ? node.getValue() : 0;
            totalBytes += node.getValue();
        }
        return new MemoryLocality(nearBytes, totalBytes);
    }

    /** From 0 to 1; 1 when there is no memory at all. */
    public double share() {
        return totalBytes == 0 ? 1 : (double) nearBytes / totalBytes;
    }
}
