package org.berth.topology;

import java.util.List;

/** Skeleton: capacity, bandwidth, latency of memory nodes. */
public record MemoryAttribute(String name, long flags, List<Value> values) {
    public record Value(TopologyObject target, CpuSet initiator, long value) {}
}
