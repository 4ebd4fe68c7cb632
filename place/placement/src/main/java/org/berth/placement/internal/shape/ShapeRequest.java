package org.berth.placement.internal.shape;

import java.util.Optional;
import java.util.OptionalLong;
import org.berth.placement.MemoryPlace;
import org.berth.topology.CpuSet;

/**
 * The request for a {@link HostShape}. Immutable and safe for use by several threads.
 *
 * @param into the parts
 * @param within only these CPUs, by osIndex; empty for all allowed ones
 * @param heapBytes heap of all processes together; empty for a share of the memory
 * @param heapPercent the share of its part's memory that a process gets as heap, 1 to 100, when no total is given
 * @param memoryLimitBytes memory that all processes together may use, such as that of a control group; empty for no
 * limit
 * @param memoryPlace the memory nodes of each part
 * @since 0.1.0
 */
public record ShapeRequest(
        Division into,
        Optional<CpuSet> within,
        OptionalLong heapBytes,
        int heapPercent,
        OptionalLong memoryLimitBytes,
        MemoryPlace memoryPlace) {
    /**
     * Half of the memory: the other half is for what a JVM has in addition to its heap (code, stacks, buffers off the
     * heap), for the page cache that storage engines live from, and for the system.
     */
    public static final int DEFAULT_HEAP_PERCENT = 50;

    /** @throws IllegalArgumentException when a number is out of its range */
    public ShapeRequest {
        if (heapPercent < 1 || heapPercent > 100) {
            throw new IllegalArgumentException("a heap of " + heapPercent + " % of the memory");
        }
        if (heapBytes.orElse(1) < 1 || memoryLimitBytes.orElse(1) < 1) {
            throw new IllegalArgumentException("heap " + heapBytes + ", limit " + memoryLimitBytes);
        }
    }

    /** All allowed CPUs, and heaps of half of the memory. */
    public static ShapeRequest of(Division into) {
        return new ShapeRequest(
                into,
                Optional.empty(),
                OptionalLong.empty(),
                DEFAULT_HEAP_PERCENT,
                OptionalLong.empty(),
                MemoryPlace.NEAR);
    }

    /** The same within some CPUs. */
    public ShapeRequest within(CpuSet cpus) {
        return new ShapeRequest(into, Optional.of(cpus), heapBytes, heapPercent, memoryLimitBytes, memoryPlace);
    }

    /** The same with this heap of all processes together. */
    public ShapeRequest withHeapBytes(long total) {
        return new ShapeRequest(into, within, OptionalLong.of(total), heapPercent, memoryLimitBytes, memoryPlace);
    }

    /** The same with heaps of another share of the memory. */
    public ShapeRequest withHeapPercent(int percent) {
        return new ShapeRequest(into, within, heapBytes, percent, memoryLimitBytes, memoryPlace);
    }

    /** The same where all processes together may use no more memory than this. */
    public ShapeRequest withMemoryLimitBytes(long limit) {
        return new ShapeRequest(into, within, heapBytes, heapPercent, OptionalLong.of(limit), memoryPlace);
    }

    /** The same where each part has other memory nodes than those near its CPUs, such as those of a tier. */
    public ShapeRequest withMemory(MemoryPlace place) {
        return new ShapeRequest(into, within, heapBytes, heapPercent, memoryLimitBytes, place);
    }
}
