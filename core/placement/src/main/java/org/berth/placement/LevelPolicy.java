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
        CpuChooser chooser = chooser(layout, request);
        return PlanAssembly.of(topology, request, request.level(), usable, chooser, layout.notes());
    }

    private static CpuChooser chooser(Layout layout, PlacementRequest request) {
        return switch (request.level()) {
            case NONE -> CpuChooser.free(List.of(layout.whole()));
            case NUMA -> CpuChooser.free(layout.numaDomains());
            case PACKAGE -> CpuChooser.free(layout.packages());
            case CORE -> GroupChooser.byCore(layout.packages(), request);
            case PU -> GroupChooser.byPu(layout.packages(), request);
        };
    }
}
