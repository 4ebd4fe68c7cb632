package org.berth.placement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** Factories of policies. Pure functions, for any thread; so are the policies. */
public final class PlacementPolicies {
    private PlacementPolicies() {}

    /**
     * The policy of the request's {@link AffinityLevel}, near the request's device if it names one.
     *
     * <p>What a machine does not name is filled in, with a note in the plan: without packages the machine counts as one,
     * without cores a PU counts as one. More threads than the level has places for are placed in turn again, and the plan
     * is then {@linkplain PlacementPlan#oversubscribed oversubscribed} and says who shares what.
     */
    public static PlacementPolicy byLevel() {
        return new LevelPolicy();
    }

    /**
     * All levels in groups that this machine cannot tell apart for the request: in each worker the same number of threads
     * gets the same CPUs and memory nodes. The request's own level does not matter.
     *
     * @return each level once; groups by their first level and each group in enum order
     * @throws PlacementException as {@link PlacementPolicy#plan}
     */
    public static List<List<AffinityLevel>> indistinguishable(Topology topology, PlacementRequest request) {
        Map<List<Map<Seat, Integer>>, List<AffinityLevel>> groups = new LinkedHashMap<>();
        for (AffinityLevel level : AffinityLevel.values()) {
            PlacementPlan plan = byLevel().plan(topology, request.withLevel(level));
            groups.computeIfAbsent(seats(plan), key -> new ArrayList<>()).add(level);
        }
        return groups.values().stream().map(List::copyOf).toList();
    }

    private static List<Map<Seat, Integer>> seats(PlacementPlan plan) {
        List<Map<Seat, Integer>> workers = new ArrayList<>();
        for (Slot slot : plan.slots()) {
            if (slot.worker() == workers.size()) {
                workers.add(new HashMap<>());
            }
            workers.get(slot.worker()).merge(new Seat(slot.cpus(), slot.memoryNodes()), 1, Integer::sum);
        }
        return workers;
    }

    private record Seat(CpuSet cpus, NodeSet memoryNodes) {}
}
