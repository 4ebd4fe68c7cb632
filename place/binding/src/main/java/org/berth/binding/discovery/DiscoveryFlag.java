package org.berth.binding.discovery;

/**
 * Options that extend or restrict discovery ({@code hwloc_topology_flags_e}).
 *
 * @since 0.1.0
 */
public enum DiscoveryFlag {
    /** CPUs and memory nodes that a cgroup keeps from this process are part of the tree, though not allowed. */
    INCLUDE_DISALLOWED(1),
    /** CPUs outside the calling thread's mask are not part of the tree. */
    RESTRICT_TO_CPU_BINDING(1 << 4 | 1 << 1),
    /** Memory nodes outside the calling thread's memory policy are not part of the tree. */
    RESTRICT_TO_MEMORY_BINDING(1 << 5 | 1 << 1),
    /** No matrices. */
    NO_DISTANCES(1 << 7),
    /** No memory attributes. */
    NO_MEMORY_ATTRIBUTES(1 << 8),
    /** No kinds of CPUs. */
    NO_CPU_KINDS(1 << 9),
    /** Environment variables such as HWLOC_FSROOT and HWLOC_XMLFILE choose another machine; not a flag of hwloc. */
    OBEY_ENVIRONMENT(0);

    /** hwloc's bits; a restriction needs that it takes the machine for this one (1 << 1). */
    private final long bits;

    DiscoveryFlag(long bits) {
        this.bits = bits;
    }

    long bits() {
        return bits;
    }
}
