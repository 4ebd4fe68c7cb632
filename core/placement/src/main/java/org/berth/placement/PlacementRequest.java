package org.berth.placement;

import java.util.List;
import java.util.Optional;
import org.berth.topology.CpuSet;

/** Skeleton: who asks. */
public record PlacementRequest(
        AffinityLevel level,
        int workers,
        int threadsPerWorker,
        Optional<CpuSet> within,
        Optional<String> nearDevice,
        MemoryMode memory,
        List<ThreadRule> rules) {
    public static PlacementRequest of(AffinityLevel level, int workers, int threadsPerWorker) {
        return new PlacementRequest(
                level, workers, threadsPerWorker, Optional.empty(), Optional.empty(), MemoryMode.LOCAL, List.of());
    }
}
