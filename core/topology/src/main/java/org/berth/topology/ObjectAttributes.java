package org.berth.topology;

import java.util.Set;

/** Skeleton: what only one kind of object has. */
public sealed interface ObjectAttributes {
    /** Nothing of its own. */
    record None() implements ObjectAttributes {}

    record Cache(int depth, CacheKind kind, long sizeBytes, int lineSizeBytes, int associativity)
            implements ObjectAttributes {}

    enum CacheKind {
        UNIFIED,
        DATA,
        INSTRUCTION
    }

    record NumaNode(long localMemoryBytes) implements ObjectAttributes {}

    record MemoryCache(long sizeBytes, int depth, int lineSizeBytes) implements ObjectAttributes {}

    record Group(long kind, int subkind) implements ObjectAttributes {}

    record Bridge(String upstream, String downstream) implements ObjectAttributes {}

    /** busId is "0000:00:03.0". */
    record Pci(
            String busId, int classId, String className, int vendorId, int deviceId, double linkSpeedGigabytesPerSecond)
            implements ObjectAttributes {}

    record OsDevice(Set<DeviceKind> kinds) implements ObjectAttributes {}

    enum DeviceKind {
        STORAGE,
        MEMORY,
        GPU,
        COPROCESSOR,
        NETWORK,
        OPENFABRICS,
        DMA
    }
}
