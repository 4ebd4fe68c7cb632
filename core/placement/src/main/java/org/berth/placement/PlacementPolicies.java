package org.berth.placement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/**
 * Factories of policies. Pure functions, for any thread; so are the policies.
 *
 * @since 0.1.0
 */
public final class PlacementPolicies {
    private PlacementPolicies() {}

    /**
     * The policy of the request's {@link AffinityLevel}, near the request's device if it names one.
     *
     * <p>What a machine does not name is filled in, with a note in the plan: without packages the machine counts as one,
     * without cores a PU counts as one. More threads than the level has slots for take the same CPUs in turn again, and the plan
     * is then {@linkplain PlacementPlan#oversubscribed oversubscribed} and its notes tell what is shared.
     */
    public static PlacementPolicy byLevel() {
        return new LevelPolicy();
    }

    /**
     * A policy for threads that serve a device, which the request must name. Its level does not matter; the plan's is the
     * one that binds about as tightly.
     *
     * <p>Threads of all workers take CPUs in turn, worker by worker. The plan's notes say where the device
     * is, which N was taken and why, and what became of PUs that do not come out even.
     *
     * @param hardwareThreads N: PUs for each thread with {@link DevicePolicy#O2NTS} and {@link DevicePolicy#O2NTC}, which
     *     never straddle a core that has as many; 0 for the default, by the cores near the device: all of a core with 2 to
     *     4 of them, half of a wider one, without SMT the cores of a cluster or shared cache of at most 8, else 1
     * @throws PlacementException when N is negative
     */
    public static PlacementPolicy nearDevice(DevicePolicy policy, int hardwareThreads) {
        if (hardwareThreads < 0) {
            throw new PlacementException("a thread cannot have " + hardwareThreads
                    + " hardware threads: ask for at least 1, or 0 (default)");
        }
        return new DevicePlacement(policy, hardwareThreads);
    }

    /**
     * All levels in groups that this machine cannot tell apart for the request: in each worker the same number of threads
     * gets the same CPUs and memory nodes. The request's own level does not matter.
     *
     * @return each level once; groups by their first level and each group in enum order
     * @throws PlacementException as {@link PlacementPolicy#plan}
     */
    public static List<List<AffinityLevel>> indistinguishable(Topology topology, PlacementRequest request) {
        Map<List<Map<Binding, Integer>>, List<AffinityLevel>> groups = new LinkedHashMap<>();
        for (AffinityLevel level : AffinityLevel.values()) {
            PlacementPlan plan = byLevel().plan(topology, request.withLevel(level));
            groups.computeIfAbsent(bindings(plan), key -> new ArrayList<>()).add(level);
        }
        return groups.values().stream().map(List::copyOf).toList();
    }

    private static List<Map<Binding, Integer>> bindings(PlacementPlan plan) {
        List<Map<Binding, Integer>> workers = new ArrayList<>();
        for (Slot slot : plan.slots()) {
            if (slot.worker() == workers.size()) {
                workers.add(new HashMap<>());
            }
            workers.get(slot.worker()).merge(new Binding(slot.cpus(), slot.memoryNodes()), 1, Integer::sum);
        }
        return workers;
    }

    private record Binding(CpuSet cpus, NodeSet memoryNodes) {}
}
