package org.berth.topology;

import java.util.List;

/**
 * Memory nodes of one technology: DRAM, HBM, NVM, CXL, the memory of GPUs.
 *
 * @param kind what hwloc calls the nodes (their subtype, or its info MemoryTier); "" when it does not say
 * @param nodes in logical order
 * @param sizeBytes of all nodes together, at most {@link Long#MAX_VALUE}
 * @param bandwidthMebibytesPerSecond of one node as its own CPUs see it, the best of them; 0 when unknown
 * @param latencyNanos likewise, the shortest; 0 when unknown
 * @since 0.1.0
 */
public record MemoryTier(
        String kind, List<TopologyObject> nodes, long sizeBytes, long bandwidthMebibytesPerSecond, long latencyNanos) {
    public MemoryTier {
        nodes = List.copyOf(nodes);
    }
}
