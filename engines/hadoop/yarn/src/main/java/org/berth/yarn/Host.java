package org.berth.yarn;

import java.util.List;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPolicies;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;

/**
 * The size of this machine and its parts, as far as the NodeManager may use them.
 *
 * @param pus logical CPUs
 * @param cores with a usable logical CPU
 * @param nodes NUMA nodes with a usable logical CPU
 * @param nodePus logical CPUs of the smallest of them
 * @param packages with a usable logical CPU
 * @param packagePus logical CPUs of the smallest of them
 */
record Host(int pus, int cores, int nodes, int nodePus, int packages, int packagePus) {
    static Host of(Topology topology) {
        CpuSet allowed = topology.allowedCpuSet().intersection(topology.cpuSet());
        List<CpuSet> nodes = parts(topology, allowed, AffinityLevel.NUMA);
        List<CpuSet> packages = parts(topology, allowed, AffinityLevel.PACKAGE);
        int cores = topology.objectsIntersecting(allowed, ObjectType.CORE).size();
        return new Host(
                allowed.size(),
                cores == 0 ? allowed.size() : cores,
                nodes.size(),
                smallest(nodes),
                packages.size(),
                smallest(packages));
    }

    private static List<CpuSet> parts(Topology topology, CpuSet allowed, AffinityLevel level) {
        PlacementRequest request = PlacementRequest.of(level, allowed.size(), 1);
        return PlacementPolicies.byLevel().plan(topology, request).slots().stream()
                .map(Slot::cpus)
                .distinct()
                .toList();
    }

    private static int smallest(List<CpuSet> parts) {
        return parts.stream().mapToInt(CpuSet::size).min().orElseThrow();
    }
}
