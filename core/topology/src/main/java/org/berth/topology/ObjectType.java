package org.berth.topology;

import java.util.Locale;
import java.util.Optional;

/** Kinds of objects, as hwloc's {@code hwloc_obj_type_t}, in hwloc's order. */
public enum ObjectType {
    /** The whole of what one kernel runs; the root of every topology. */
    MACHINE("Machine", Category.NORMAL),
    /** What fits into one socket. */
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
    /** What the system makes of a device: a disk, a network interface, a GPU. */
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

    /** hwloc's name of the type: "Machine", "L1iCache", "NUMANode", "PCIDev". */
    public String hwlocName() {
        return hwlocName;
    }

    /** Parts of the tree of CPUs: machine, packages, dies, groups, caches, cores, PUs. */
    public boolean isNormal() {
        return category == Category.NORMAL || isCache();
    }

    /** CPU caches of either kind, but not memory-side caches. */
    public boolean isCache() {
        return category == Category.CACHE || category == Category.INSTRUCTION_CACHE;
    }

    public boolean isInstructionCache() {
        return category == Category.INSTRUCTION_CACHE;
    }

    /** Memory nodes and memory-side caches. */
    public boolean isMemory() {
        return category == Category.MEMORY;
    }

    /** Bridges, PCI and OS devices. */
    public boolean isIo() {
        return category == Category.IO;
    }

    /**
     * The type of that name in any case, or empty ({@code hwloc_type_sscanf}): "core", "NUMANode", "node", "l3cache",
     * "L3", "L1d", "L1i".
     */
    public static Optional<ObjectType> named(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        for (ObjectType type : values()) {
            if (type.isNamed(wanted)) {
                return Optional.of(type);
            }
        }
        return wanted.equals("node") ? Optional.of(NUMA_NODE) : Optional.empty();
    }

    private boolean isNamed(String wanted) {
        String own = hwlocName.toLowerCase(Locale.ROOT);
        if (own.equals(wanted)) {
            return true;
        }
        String cache = category == Category.CACHE && wanted.endsWith("d") ? wanted.replace("d", "") : wanted;
        return isCache() && own.equals(cache + "cache");
    }
}
