package org.berth.placement;

import java.util.List;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/** Skeleton: ordered slots with reasons. */
public record PlacementPlan(
        AffinityLevel level,
        MemoryMode memory,
        CpuSet allowed,
        boolean oversubscribed,
        List<Slot> slots,
        List<ThreadRule> rules,
        List<String> notes) {
    /** Union over all workers. */
    public CpuSet cpus() {
        throw new UnsupportedOperationException("skeleton");
    }

    public CpuSet workerCpus(int worker) {
        throw new UnsupportedOperationException("skeleton");
    }

    public NodeSet workerNodes(int worker) {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Versioned text that round-trips and that the C agent reads. */
    public String toText() {
        throw new UnsupportedOperationException("skeleton");
    }

    public static PlacementPlan parse(String text) {
        throw new UnsupportedOperationException("skeleton");
    }
}
