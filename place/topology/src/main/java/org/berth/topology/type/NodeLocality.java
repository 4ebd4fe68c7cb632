package org.berth.topology.type;

/**
 * Memory nodes that are local in addition to those of exactly the CPUs ({@code hwloc_local_numanode_flag_e}).
 *
 * @since 0.1.0
 */
public enum NodeLocality {
    /** Nodes that are local to these CPUs and to others. */
    LARGER,
    /** Nodes that are local to some of these CPUs alone. */
    SMALLER,
    /** Nodes that are local to any of these CPUs. */
    INTERSECTING
}
