package org.berth.placement.internal.dynamic;

/**
 * The classes of cores of "Dynamic core affinity for high-performance file upload on HDFS" (Cho, Jin, Lee, Schwan; Parallel
 * Computing 40, 2014): the first letter names the device whose interrupt-handling core is the reference (D disk, N network),
 * the second the relation of the chosen core to it. A core has one class for each device that is known.
 *
 * @since 0.1.0
 */
public enum AffinityClass {
    /** The disk's interrupt-handling core. */
    DS(true, InterruptRelation.SAME),
    /** Shares a cache with it. */
    DC(true, InterruptRelation.CACHE),
    /** On its memory node, without a common cache. */
    DM(true, InterruptRelation.MEMORY),
    /** On another memory node. */
    DN(true, InterruptRelation.REMOTE),
    /** Shares a cache with the network's interrupt-handling core. */
    NC(false, InterruptRelation.CACHE),
    /** On its memory node, without a common cache. */
    NM(false, InterruptRelation.MEMORY),
    /** On another memory node. */
    NN(false, InterruptRelation.REMOTE),
    /** The network's interrupt-handling core itself, which the policy never chooses. */
    NS(false, InterruptRelation.SAME);

    private final boolean disk;
    private final InterruptRelation relation;

    AffinityClass(boolean disk, InterruptRelation relation) {
        this.disk = disk;
        this.relation = relation;
    }

    /** The relation to the reference. */
    public InterruptRelation relation() {
        return relation;
    }

    /** The notation of the paper: "[DC]". */
    public String label() {
        return "[" + name() + "]";
    }

    /** The class of a core with that relation to the device. */
    static AffinityClass of(boolean disk, InterruptRelation relation) {
        for (AffinityClass candidate : values()) {
            if (candidate.disk == disk && candidate.relation == relation) {
                return candidate;
            }
        }
        throw new IllegalArgumentException(relation.toString());
    }
}
