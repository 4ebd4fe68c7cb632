package org.berth.topology.type;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Kinds of objects, as hwloc's {@code hwloc_obj_type_t}, in hwloc's order.
 *
 * @since 0.1.0
 */
public enum ObjectType {
    /** The whole of what one kernel runs; the root of every topology. */
    MACHINE("Machine", Category.NORMAL),
    /** A processor that fits into one socket. */
    PACKAGE("Package", Category.NORMAL),
    DIE("Die", Category.NORMAL),
    CORE("Core", Category.NORMAL),
    /** Processing unit: the smallest thing that a thread can be bound to (a hardware thread). */
    PU("PU", Category.NORMAL),
    L1_CACHE("L1Cache", Category.CACHE),
    L2_CACHE("L2Cache", Category.CACHE),
    L3_CACHE("L3Cache", Category.CACHE),
    L4_CACHE("L4Cache", Category.CACHE),
    L5_CACHE("L5Cache", Category.CACHE),
    L1I_CACHE("L1iCache", Category.INSTRUCTION_CACHE),
    L2I_CACHE("L2iCache", Category.INSTRUCTION_CACHE),
    L3I_CACHE("L3iCache", Category.INSTRUCTION_CACHE),
    /** Objects that belong together for a reason without a type of its own: clusters, books, distances. */
    GROUP("Group", Category.NORMAL),
    NUMA_NODE("NUMANode", Category.MEMORY),
    /** A cache in front of memory nodes. */
    MEMORY_CACHE("MemCache", Category.MEMORY),
    BRIDGE("Bridge", Category.IO),
    PCI_DEVICE("PCIDev", Category.IO),
    /** A device as the system shows it: a disk, a network interface, a GPU. */
    OS_DEVICE("OSDev", Category.IO),
    /** Whatever a tool has added, such as memory modules. */
    MISC("Misc", Category.MISC);

    private enum Category {
        NORMAL,
        CACHE,
        INSTRUCTION_CACHE,
        MEMORY,
        IO,
        MISC
    }

    private final String hwlocName;
    private final Category category;

    ObjectType(String hwlocName, Category category) {
        this.hwlocName = hwlocName;
        this.category = category;
    }

    /** hwloc's name of the type: "Machine", "L1iCache", "NUMANode", "PCIDev" ({@code hwloc_obj_type_string}). */
    public String hwlocName() {
        return hwlocName;
    }

    /** Parts of the tree of CPUs: machine, packages, dies, groups, caches, cores, PUs ({@code hwloc_obj_type_is_normal}). */
    public boolean isNormal() {
        return category == Category.NORMAL || isCache();
    }

    /** CPU caches of either kind, but not memory-side caches ({@code hwloc_obj_type_is_cache}). */
    public boolean isCache() {
        return category == Category.CACHE || category == Category.INSTRUCTION_CACHE;
    }

    /** CPU caches of data, unified ones included ({@code hwloc_obj_type_is_dcache}). */
    public boolean isDataCache() {
        return category == Category.CACHE;
    }

    /** Caches of instructions alone ({@code hwloc_obj_type_is_icache}). */
    public boolean isInstructionCache() {
        return category == Category.INSTRUCTION_CACHE;
    }

    /** Memory nodes and memory-side caches ({@code hwloc_obj_type_is_memory}). */
    public boolean isMemory() {
        return category == Category.MEMORY;
    }

    /** Bridges, PCI and OS devices ({@code hwloc_obj_type_is_io}). */
    public boolean isIo() {
        return category == Category.IO;
    }

    /**
     * Which of two comes first on the way from the machine to a PU: negative when this one is usually around the other,
     * positive when inside, 0 for the same; empty when only one of them is part of the tree of CPUs
     * ({@code hwloc_compare_types}).
     */
    public OptionalInt compareDepth(ObjectType other) {
        boolean comparable = isNormal() == other.isNormal() || this == MACHINE || other == MACHINE;
        return comparable ? OptionalInt.of(Integer.compare(order(), other.order())) : OptionalInt.empty();
    }

    /** hwloc's order ({@code obj_type_order} in its topology.c); PUs below devices there, so here. */
    private int order() {
        return switch (this) {
            case MACHINE -> 0;
            case GROUP -> 1;
            case MEMORY_CACHE -> 2;
            case NUMA_NODE -> 3;
            case PACKAGE -> 4;
            case DIE -> 5;
            case L5_CACHE -> 6;
            case L4_CACHE -> 7;
            case L3_CACHE -> 8;
            case L3I_CACHE -> 9;
            case L2_CACHE -> 10;
            case L2I_CACHE -> 11;
            case L1_CACHE -> 12;
            case L1I_CACHE -> 13;
            case CORE -> 14;
            case BRIDGE -> 15;
            case PCI_DEVICE -> 16;
            case OS_DEVICE -> 17;
            case PU -> 18;
            case MISC -> 19;
        };
    }

    /**
     * The type of that name in any case, or empty ({@code hwloc_type_sscanf}): hwloc's names, those that lstopo prints and
     * those of its command line: "core", "NUMANode", "node", "l3cache", "L3", "L1d", "L1dCache", "l2u", "L1i", "Group0",
     * "Net", "Block", "HostBridge", "socket", and their beginnings such as "co", "pack", "sock" and "gr". Text behind the
     * name is no part of it: "core:2" is none.
     */
    public static Optional<ObjectType> named(String name) {
        return TypeNames.type(name);
    }
}
