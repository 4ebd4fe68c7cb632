package org.berth.binding.discovery;

/**
 * Which objects of a type discovery keeps ({@code hwloc_type_filter_e}).
 *
 * @since 0.1.0
 */
public enum TypeFilter {
    /** All. */
    KEEP_ALL,
    /** None; not for the machine, PUs and memory nodes. */
    KEEP_NONE,
    /** Those without which the tree would have another structure; not for I/O and misc objects. */
    KEEP_STRUCTURE,
    /**
     * Keeps those I/O objects that matter to most users (disks, networks, GPUs, not bridges without any); for others
     * all.
     */
    KEEP_IMPORTANT
}
