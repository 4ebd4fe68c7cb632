package org.berth.placement.internal.policy;

import java.util.ArrayList;
import java.util.List;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementPolicy;
import org.berth.placement.PlacementRequest;
import org.berth.placement.ThreadOrder;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** The policy of {@link AffinityLevel}. */
public final class LevelPolicy implements PlacementPolicy {
    @Override
    public PlacementPlan plan(Topology topology, PlacementRequest request) {
        PlanAssembly.requireTaskRules(request);
        UsableCpus usable = UsableCpus.of(topology, request);
        List<String> notes = new ArrayList<>();
        CpuChooser chooser = chooser(topology, usable.cpus(), request, notes);
        notes.addAll(chooser.notes());
        notes.addAll(FastCores.notes(topology, usable.cpus(), request.level()));
        return PlanAssembly.of(topology, request, request.level(), usable, chooser, notes);
    }

    private static CpuChooser chooser(Topology topology, CpuSet usable, PlacementRequest request, List<String> notes) {
        if (request.level() == AffinityLevel.L3) {
            return new CacheChooser(new CacheLayout(topology, usable), request);
        }
        Domains domains = new Domains(topology, usable);
        CoreSpread spread = new CoreSpread(topology, request.order());
        CpuChooser chooser = switch (request.level()) {
            case NONE -> new DomainChooser(List.of(domains.whole()), request);
            case NUMA ->
                new DomainChooser(domains.numaDomains((long) request.workers() * request.threadsPerWorker()), request);
            case PACKAGE -> new DomainChooser(domains.packages(), request);
            case L3 -> throw new IllegalStateException("level l3 has a chooser of its own");
            case CORE -> GroupChooser.byCore(domains.packages(), spread, request);
            case PU -> GroupChooser.byPu(domains.packages(), spread, request);
        };
        notes.addAll(domains.notes());
        if (request.order() != ThreadOrder.PACK) {
            notes.add("order " + request.order().word() + ": a worker's threads take cores of its L3 caches in turn");
        }
        return chooser;
    }
}
