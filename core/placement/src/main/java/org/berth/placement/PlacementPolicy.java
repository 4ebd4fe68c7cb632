package org.berth.placement;

import org.berth.topology.Topology;

/** Skeleton: a pure function. */
public interface PlacementPolicy {
    PlacementPlan plan(Topology topology, PlacementRequest request);
}
