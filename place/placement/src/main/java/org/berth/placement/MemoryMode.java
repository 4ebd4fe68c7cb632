package org.berth.placement;

import org.berth.placement.internal.Choice;
import org.berth.text.Words;

/**
 * How a worker's new memory pages follow its CPUs (set_mempolicy(2)).
 *
 * @since 0.1.0
 */
public enum MemoryMode {
    /** No policy: the kernel's default, a page lies near the CPU that touches it first. */
    LOCAL,
    /** Restricts memory to the worker's nodes; when they are full, the allocation fails or the kernel swaps. */
    BIND,
    /**
     * Prefers the worker's nodes, the nearest first, while they have room ({@code MPOL_PREFERRED_MANY}); before Linux
     * 5.15 only the lowest of them. */
    PREFER,
    /** Spreads pages round-robin over the worker's nodes. */
    INTERLEAVE,
    /**
     * Spreads pages over the worker's nodes in proportion to the kernel's weights in {@code
     * /sys/kernel/mm/mempolicy/weighted_interleave} ({@code MPOL_WEIGHTED_INTERLEAVE}); needs Linux 6.9. */
    WEIGHTED,
    /**
     * Restricts memory to the worker's nodes, among which NUMA balancing moves pages to the threads that use them
     * ({@code MPOL_F_NUMA_BALANCING}); needs Linux 5.12.
     */
    BIND_BALANCE,
    /** {@link #PREFER}, and NUMA balancing moves pages as in {@link #BIND_BALANCE}; needs Linux 6.10. */
    PREFER_BALANCE;

    /** The name that users write, in lower case. */
    public String word() {
        return Words.of(this);
    }

    /**
     * The mode that a user named; {@code preferred-many}, the word of numactl and systemd, is
     * {@link #PREFER}.
     *
     * @throws PlacementException one line with the choices, when there is no such mode
     */
    public static MemoryMode parse(String text) {
        return text.equals("preferred-many")
                ? PREFER
                : Choice.parse("memory mode", text, values(), PlacementException::new);
    }
}
