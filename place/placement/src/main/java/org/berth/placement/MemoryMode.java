package org.berth.placement;

/**
 * How a worker's new memory pages follow its CPUs (set_mempolicy(2)).
 *
 * @since 0.1.0
 */
public enum MemoryMode {
    /** No policy: the kernel's default, a page lies near the CPU that touches it first. */
    LOCAL,
    /** Only on the worker's nodes; the kernel fails or swaps rather than go elsewhere. */
    BIND,
    /**
     * On the worker's nodes, the nearest first, while they have room ({@code MPOL_PREFERRED_MANY}); before Linux 5.15 on the
     * lowest of them.
     */
    PREFER,
    /** Page by page over the worker's nodes. */
    INTERLEAVE,
    /**
     * Page by page over the worker's nodes, in the proportion of the kernel's weights in
     * {@code /sys/kernel/mm/mempolicy/weighted_interleave} ({@code MPOL_WEIGHTED_INTERLEAVE}); needs Linux 6.9.
     */
    WEIGHTED,
    /**
     * Only on the worker's nodes, among which NUMA balancing moves pages to the threads that use them
     * ({@code MPOL_F_NUMA_BALANCING}); needs Linux 5.12.
     */
    BIND_BALANCE,
    /** {@link #PREFER}, and NUMA balancing moves pages as in {@link #BIND_BALANCE}; needs Linux 6.10. */
    PREFER_BALANCE;

    /** The user's word for it, in lower case. */
    public String word() {
        return Words.of(this);
    }

    /**
     * The mode that a user named, in upper or lower case; {@code preferred-many}, the word of numactl and systemd, is
     * {@link #PREFER}.
     *
     * @throws PlacementException one line with the choices, when there is no such mode
     */
    public static MemoryMode parse(String text) {
        return text.equalsIgnoreCase("preferred-many") ? PREFER : Words.parse("memory mode", text, values());
    }
}
