package org.berth.placement;

import org.berth.topology.Topology;

/**
 * A pure function: the same topology and request give the same plan. Implementations are immutable and thread-safe.
 *
 * @since 0.1.0
 */
public interface PlacementPolicy {
    /**
     * Places every thread of every worker that the request asks for.
     *
     * @return as many slots as asked, by worker and then by thread, all inside the topology's allowed set
     * @throws PlacementException one line, when the request cannot be met on this machine
     */
    PlacementPlan plan(Topology topology, PlacementRequest request);
}
