package org.berth.topology.type;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Attributes that only one kind of object has ({@code hwloc_obj_attr_u}). Immutable.
 *
 * @since 0.1.0
 */
public sealed interface ObjectAttributes {
    /** Nothing of its own. */
    record None() implements ObjectAttributes {}

    /**
     * A CPU cache.
     *
     * @param depth 1 for L1
     * @param lineSizeBytes 0 when unknown
     * @param associativity ways; 0 when unknown, -1 when fully associative
     */
    record Cache(int depth, CacheKind kind, long sizeBytes, int lineSizeBytes, int associativity)
            implements ObjectAttributes {}

    /** The contents of a cache. */
    enum CacheKind {
        UNIFIED,
        DATA,
        INSTRUCTION
    }

    /**
     * A memory node.
     *
     * @param localMemoryBytes its own memory; 0 when unknown
     * @param pagesBySizeBytes number of pages for each page size; empty when the description has none
     */
    record NumaNode(long localMemoryBytes, SortedMap<Long, Long> pagesBySizeBytes) implements ObjectAttributes {
        public NumaNode {
            pagesBySizeBytes = pagesBySizeBytes.isEmpty()
                    ? Collections.emptySortedMap()
                    : Collections.unmodifiableSortedMap(new TreeMap<>(pagesBySizeBytes));
        }
    }

    /**
     * A cache in front of memory.
     *
     * @param lineSizeBytes 0 when unknown
     * @param associativity ways; 0 when unknown, -1 when fully associative
     */
    record MemoryCache(long sizeBytes, int depth, int lineSizeBytes, int associativity) implements ObjectAttributes {}

    /**
     * A group.
     *
     * @param kind hwloc's number for why the objects are grouped
     * @param depth rank of this level among the levels of groups, from 0 (the "Group0" of lstopo)
     * @param dontMerge whether hwloc must keep it when another object has the same CPUs
     */
    record Group(long kind, long subkind, int depth, boolean dontMerge) implements ObjectAttributes {}

    /**
     * A bridge.
     *
     * @param upstream "host", or the bus id of the PCI bridge itself
     * @param downstream the PCI buses behind it: "0000:[01-03]"; "" when unknown
     * @param depth number of bridges between it and the host
     * @param pci what it is on the bus above; null for a bridge of the host
     */
    record Bridge(
            String upstream,
            String downstream,
            int depth,
            @Nullable Pci pci) implements ObjectAttributes {

        /** Whether a PCI bus is behind it ({@code hwloc_bridge_covers_pcibus}). */
        public boolean covers(int domain, int bus) {
            int colon = downstream.indexOf(':');
            if (colon < 0) {
                return false;
            }
            String[] buses =
                    downstream.substring(colon + 2, downstream.length() - 1).split("-", 2);
            return Long.parseLong(downstream.substring(0, colon), 16) == domain
                    && Integer.parseInt(buses[0], 16) <= bus
                    && bus <= Integer.parseInt(buses[1], 16);
        }
    }

    /**
     * A PCI device.
     *
     * @param busId "0000:00:03.0"
     * @param classId PCI class and subclass: 0x0200 is Ethernet
     * @param className short name of the class, "Other" when unknown
     * @param subvendorId 0 when unknown
     * @param subdeviceId 0 when unknown
     * @param linkSpeedGigabytesPerSecond 0 when unknown
     */
    record Pci(
            String busId,
            int classId,
            String className,
            int vendorId,
            int deviceId,
            int subvendorId,
            int subdeviceId,
            int revision,
            double linkSpeedGigabytesPerSecond)
            implements ObjectAttributes {}

    /** A device as the system names it; one device can be of several kinds. */
    record OsDevice(Set<DeviceKind> kinds) implements ObjectAttributes {
        public OsDevice {
            EnumSet<DeviceKind> copy = EnumSet.noneOf(DeviceKind.class);
            copy.addAll(kinds);
            kinds = Collections.unmodifiableSet(copy);
        }
    }

    /** The uses of a device. */
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
