package org.berth.placement;

import java.util.IdentityHashMap;
import java.util.List;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** The memory nodes that go with places. */
final class MemoryNodes {
    private final Topology topology;
    private final NodeSet allowed;
    private final IdentityHashMap<Place, NodeSet> nodesByPlace = new IdentityHashMap<>();
    private CpuSet far = CpuSet.empty();

    MemoryNodes(Topology topology, MemoryMode mode) {
        this.topology = topology;
        this.allowed = topology.allowedNodeSet().intersection(topology.nodeSet());
        if (mode != MemoryMode.LOCAL && allowed.isEmpty()) {
            throw new PlacementException("memory mode " + mode.word()
                    + " needs a NUMA node, and this machine's description allows none: use memory mode local");
        }
    }

    /** Allowed nodes near the place's CPUs; all allowed ones when none is near. */
    NodeSet of(Place place) {
        return nodesByPlace.computeIfAbsent(place, key -> {
            NodeSet near = topology.nodesNear(place.cpus).intersection(allowed);
            if (near.isEmpty()) {
                far = far.union(place.cpus);
                return allowed;
            }
            return near;
        });
    }

    List<String> notes() {
        if (far.isEmpty()) {
            return List.of();
        }
        String instead =
                allowed.isEmpty() ? "" : ": memory may come from node" + (allowed.size() == 1 ? " " : "s ") + allowed;
        return List.of("no allowed NUMA node is near " + Domain.pus(far) + instead);
    }
}
