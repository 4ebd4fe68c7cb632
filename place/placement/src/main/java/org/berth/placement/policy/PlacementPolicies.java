package org.berth.placement.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.placement.AffinityLevel;
import org.berth.placement.DevicePolicy;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementException;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementPolicy;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.placement.internal.parts.HostPart;
import org.berth.placement.internal.policy.CacheLayout;
import org.berth.placement.internal.policy.CachePart;
import org.berth.placement.internal.policy.DevicePlacement;
import org.berth.placement.internal.policy.Domains;
import org.berth.placement.internal.policy.LevelPolicy;
import org.berth.placement.internal.policy.UsableCpus;
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
     * All levels, l3 in both orders, in groups that are equal on this machine for the request: in each worker the same
     * number of threads gets the same CPUs and memory nodes. The request's own level and order do not matter.
     *
     * @return each of {@link OrderedLevel#ALL} once; groups by their first level and each group in that order
     * @throws PlacementException as {@link PlacementPolicy#plan}
     */
    public static List<List<OrderedLevel>> indistinguishable(Topology topology, PlacementRequest request) {
        Map<List<Map<Binding, Integer>>, List<OrderedLevel>> groups = new LinkedHashMap<>();
        for (OrderedLevel level : OrderedLevel.ALL) {
            PlacementPlan plan = byLevel().plan(topology, request.withLevel(level));
            groups.computeIfAbsent(bindings(plan), key -> new ArrayList<>()).add(level);
        }
        return groups.values().stream().map(List::copyOf).toList();
    }

    /**
     * The parts of the allowed CPUs over which a level distributes workers: NUMA nodes, packages, L3 caches as in
     * {@link #alikeCaches}, and packages again at the levels core and pu. In logical order, L3 caches the best first.
     *
     * @return at least one; at level numa, CPUs that no node holds are in none of them
     * @throws PlacementException when the topology allows no CPU
     */
    public static List<CpuSet> domains(Topology topology, AffinityLevel level) {
        CpuSet usable =
                UsableCpus.of(topology, PlacementRequest.of(level, 1, 1)).cpus();
        Domains machine = new Domains(topology, usable);
        List<HostPart> domains = switch (level) {
            case NONE -> List.of(machine.whole());
            case NUMA -> machine.numaDomains();
            case PACKAGE, CORE, PU -> machine.packages();
            case L3 -> caches(topology, usable).stream().map(CachePart::domain).toList();
        };
        return domains.stream().map(HostPart::cpus).toList();
    }

    /**
     * The allowed CPUs of each L3 cache, where they differ in speed those of each speed, in groups of alike ones: faster
     * CPUs before slower ones, then larger caches before smaller ones, each group in logical order. Without an L3 cache a
     * NUMA node, or a package, counts as one.
     *
     * @return at least one group with at least one set
     * @throws PlacementException when the topology allows no CPU
     */
    public static List<List<CpuSet>> alikeCaches(Topology topology) {
        List<List<CpuSet>> groups = new ArrayList<>();
        Optional<CachePart> former = Optional.empty();
        for (CachePart part : caches(
                topology,
                UsableCpus.of(topology, PlacementRequest.of(AffinityLevel.L3, 1, 1))
                        .cpus())) {
            if (former.isEmpty() || !former.get().isLike(part)) {
                groups.add(new ArrayList<>());
            }
            groups.get(groups.size() - 1).add(part.domain().cpus());
            former = Optional.of(part);
        }
        return groups.stream().map(List::copyOf).toList();
    }

    private static List<CachePart> caches(Topology topology, CpuSet usable) {
        return new CacheLayout(topology, usable)
                .parts().stream().sorted(CachePart.BEST_FIRST).toList();
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
