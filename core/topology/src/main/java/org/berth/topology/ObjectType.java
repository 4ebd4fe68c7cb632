package org.berth.topology;

/** Skeleton: kinds of objects, as hwloc_obj_type_t. */
public enum ObjectType {
    MACHINE,
    PACKAGE,
    DIE,
    CORE,
    PU,
    L1_CACHE,
    L2_CACHE,
    L3_CACHE,
    L4_CACHE,
    L5_CACHE,
    L1I_CACHE,
    L2I_CACHE,
    L3I_CACHE,
    GROUP,
    NUMA_NODE,
    MEMORY_CACHE,
    BRIDGE,
    PCI_DEVICE,
    OS_DEVICE,
    MISC
}
