package org.berth.placement;

import java.util.List;
import org.berth.topology.Topology;

/** Skeleton: factories. */
public final class PlacementPolicies {
    private PlacementPolicies() {}

    /** NONE, NUMA, CPU, CORE, PU of the request's level, near the request's device if it names one. */
    public static PlacementPolicy byLevel() {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Levels that give every thread the same CPUs on this machine, in groups, each in enum order. */
    public static List<List<AffinityLevel>> indistinguishable(Topology topology, PlacementRequest request) {
        throw new UnsupportedOperationException("skeleton");
    }
}
