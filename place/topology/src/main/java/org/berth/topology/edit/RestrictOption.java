package org.berth.topology.edit;

/**
 * How {@link TopologyEditor} restricts a machine ({@code hwloc_restrict_flags_e}).
 *
 * @since 0.1.0
 */
public enum RestrictOption {
    /** Memory nodes that are left without CPUs go as well; only when restricting to CPUs. */
    REMOVE_CPULESS,
    /** PUs that are left without memory go as well; only when restricting to memory nodes. */
    REMOVE_MEMLESS,
    /** Misc objects below what is removed move up to what is left; otherwise they go. */
    ADAPT_MISC,
    /** I/O objects below what is removed move up to what is left; otherwise they go. */
    ADAPT_IO
}
