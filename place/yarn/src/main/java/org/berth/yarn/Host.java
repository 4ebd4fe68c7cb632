package org.berth.yarn;

import java.util.List;
import org.berth.placement.AffinityLevel;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/**
 * The size of this machine and its parts, as far as the NodeManager may use them.
 *
 * @param pus logical CPUs
 * @param cores with a usable logical CPU
 * @param nodes NUMA nodes with a usable logical CPU
 * @param nodePus logical CPUs of the smallest of them
 * @param packages with a usable logical CPU
 * @param packagePus logical CPUs of the smallest of them
 * @param caches L3 caches with a usable logical CPU
 * @param cachePus logical CPUs of the smallest of them; 0 without one
 */
record Host(int pus, int cores, int nodes, int nodePus, int packages, int packagePus, int caches, int cachePus) {
    static Host of(Topology topology) {
        CpuSet allowed = topology.allowedCpuSet().intersection(topology.cpuSet());
        List<CpuSet> nodes = PlacementPolicies.domains(topology, AffinityLevel.NUMA);
        List<CpuSet> packages = PlacementPolicies.domains(topology, AffinityLevel.PACKAGE);
        List<CpuSet> caches = topology.objectsIntersecting(allowed, ObjectType.L3_CACHE).stream()
                .map(cache -> cache.cpuSet().intersection(allowed))
                .toList();
        int cores = topology.objectsIntersecting(allowed, ObjectType.CORE).size();
        return new Host(
                allowed.size(),
                cores == 0 ? allowed.size() : cores,
                nodes.size(),
                smallest(nodes),
                packages.size(),
                smallest(packages),
                caches.size(),
                smallest(caches));
    }

    /**
     * Whether as many containers of this size fit into L3 caches as into the machine, and these are smaller than nodes and
     * packages: then a container that has one to itself leaves no CPU idle that it could use.
     */
    boolean fitsCaches(int containerPus) {
        return caches > Math.max(nodes, packages)
                && containerPus <= cachePus
                && caches * (cachePus / containerPus) >= pus / containerPus;
    }

    private static int smallest(List<CpuSet> parts) {
        return parts.stream().mapToInt(CpuSet::size).min().orElse(0);
    }
}
