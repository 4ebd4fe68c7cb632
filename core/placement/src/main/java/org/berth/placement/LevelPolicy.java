package org.berth.placement;

import java.util.List;
import org.berth.topology.Topology;

/** The policy of {@link AffinityLevel}. */
final class LevelPolicy implements PlacementPolicy {
    @Override
    public PlacementPlan plan(Topology topology, PlacementRequest request) {
        PlanAssembly.requireTaskRules(request);
        UsableCpus usable = UsableCpus.of(topology, request);
        Layout layout = new Layout(topology, usable.cpus());
        Seating seating = seating(layout, request);
        return PlanAssembly.of(topology, request, request.level(), usable, seating, layout.notes());
    }

    private static Seating seating(Layout layout, PlacementRequest request) {
        return switch (request.level()) {
            case NONE -> Seating.free(List.of(layout.whole()));
            case NUMA -> Seating.free(layout.numaDomains());
            case CPU -> Seating.free(layout.packages());
            case CORE -> GroupSeating.byCore(layout.packages(), request);
            case PU -> GroupSeating.byPu(layout.packages(), request);
        };
    }
}
