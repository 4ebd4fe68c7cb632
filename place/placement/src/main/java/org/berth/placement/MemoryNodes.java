package org.berth.placement;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.berth.placement.internal.parts.CpuChoice;
import org.berth.placement.internal.parts.HostPart;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** The memory nodes of each slot, where the request wants them. It is not part of the API. */
public final class MemoryNodes {
    private final Topology topology;
    private final NodeSet allowed;
    private final MemoryMode mode;
    private final MemoryPlace place;
    private final IdentityHashMap<CpuChoice, NodeSet> nodesByChoice = new IdentityHashMap<>();
    private CpuSet far = CpuSet.empty();
    private NodeSet leftOut = NodeSet.empty();

    public MemoryNodes(Topology topology, MemoryMode mode, MemoryPlace place) {
        this.topology = topology;
        this.mode = mode;
        this.place = place;
        this.allowed = allowed(topology);
        if (mode != MemoryMode.LOCAL && allowed.isEmpty()) {
            throw new PlacementException("memory mode " + mode.word()
                    + " needs a NUMA node, and this machine's description allows none: use memory mode local");
        }
    }

    static NodeSet allowed(Topology topology) {
        return topology.allowedNodeSet().intersection(topology.nodeSet());
    }

    /** The nodes of the request; all allowed ones when none is near the chosen CPUs. */
    public NodeSet of(CpuChoice choice) {
        return nodesByChoice.computeIfAbsent(choice, key -> {
            NodeSet nodes = place.nodes(topology, choice.cpus);
            leftOut = leftOut.union(place.leftOut(topology, choice.cpus));
            if (nodes.isEmpty()) {
                far = far.union(choice.cpus);
                return allowed;
            }
            return nodes;
        });
    }

    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!leftOut.isEmpty() && mode != MemoryMode.LOCAL) {
            notes.add(MemoryPlace.leftOutNote(leftOut));
        }
        if (far.isEmpty()) {
            return notes;
        }
        String instead =
                allowed.isEmpty() ? "" : ": memory may come from node" + (allowed.size() == 1 ? " " : "s ") + allowed;
        notes.add("no allowed NUMA node is near " + HostPart.pus(far) + instead);
        return notes;
    }
}
