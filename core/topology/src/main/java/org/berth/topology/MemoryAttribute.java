package org.berth.topology;

import java.util.List;

/**
 * Bandwidth, latency or another property of memory nodes ({@code hwloc_memattr_get_value}). Capacity and locality,
 * which hwloc derives from the tree, are not repeated here.
 *
 * @param name "Bandwidth", "Latency", …
 * @param flags hwloc's bits ({@code hwloc_memattr_flag_e})
 */
public record MemoryAttribute(String name, long flags, List<Value> values) {
    private static final long HIGHER_FIRST = 1;

    public MemoryAttribute {
        values = List.copyOf(values);
    }

    /**
     * The attribute of one target.
     *
     * @param initiator the CPUs that the value was taken from; empty when it is the same from everywhere
     * @param value in hwloc's unit: bytes, MiB/s or nanoseconds
     */
    public record Value(TopologyObject target, CpuSet initiator, long value) {}

    /** Whether greater is better, as for a bandwidth. */
    public boolean higherIsBetter() {
        return (flags & HIGHER_FIRST) != 0;
    }
}
