package org.berth.placement;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** The memory nodes of each slot: those that the request names, or those near its CPUs. */
final class MemoryNodes {
    private final Topology topology;
    private final NodeSet allowed;
    private final Optional<NodeSet> named;
    private final IdentityHashMap<CpuChoice, NodeSet> nodesByChoice = new IdentityHashMap<>();
    private CpuSet far = CpuSet.empty();

    MemoryNodes(Topology topology, MemoryMode mode, Optional<NodeSet> named) {
        this.topology = topology;
        this.named = named;
        this.allowed = topology.allowedNodeSet().intersection(topology.nodeSet());
        if (mode != MemoryMode.LOCAL && allowed.isEmpty()) {
            throw new PlacementException("memory mode " + mode.word()
                    + " needs a NUMA node, and this machine's description allows none: use memory mode local");
        }
        if (named.isPresent() && (named.get().isEmpty() || !allowed.containsAll(named.get()))) {
            throw new PlacementException(
                    "memory nodes '" + named.get() + "' are not among the allowed nodes: choose from " + allowed);
        }
    }

    /** The nodes of the request, else the allowed ones near the chosen CPUs, else all allowed ones. */
    NodeSet of(CpuChoice choice) {
        if (named.isPresent()) {
            return named.get();
        }
        return nodesByChoice.computeIfAbsent(choice, key -> {
            NodeSet near = topology.nodesNear(choice.cpus).intersection(allowed);
            if (near.isEmpty()) {
                far = far.union(choice.cpus);
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
