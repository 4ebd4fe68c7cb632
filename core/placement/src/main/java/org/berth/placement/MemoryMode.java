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
    /** On the worker's nodes while they have room. */
    PREFER,
    /** Page by page over the worker's nodes. */
    INTERLEAVE;

    /** The user's word for it, in lower case. */
    public String word() {
        return Words.of(this);
    }

    /**
     * The mode that a user named, in upper or lower case.
     *
     * @throws PlacementException one line with the choices, when there is no such mode
     */
    public static MemoryMode parse(String text) {
        return Words.parse("memory mode", text, values());
    }
}
