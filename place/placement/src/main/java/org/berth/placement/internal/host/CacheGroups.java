package org.berth.placement.internal.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.placement.AffinityLevel;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/**
 * L3 caches in groups, each for executors of one size. A pure function of the machine.
 *
 * @param domains disjoint, each inside one memory node (or package), all caches together
 * @param each caches in a group; what is left over in a node belongs to its last group
 * @param fit whether as many executors fit into the groups as on the host
 */
record CacheGroups(List<CpuSet> domains, int each, boolean fit) {
    /**
     * Groups of the smallest number of neighbours that have as many CPUs as an executor needs.
     *
     * @return empty where such a group is larger than a node
     */
    static Optional<CacheGroups> of(Topology topology, int cpus) {
        List<CpuSet> caches = HostDivision.domains(topology, AffinityLevel.L3);
        int smallest = caches.stream().mapToInt(CpuSet::size).min().orElseThrow();
        int each = (cpus + smallest - 1) / smallest;
        List<CpuSet> domains = new ArrayList<>();
        int placed = 0;
        for (List<CpuSet> home : homes(topology, caches)) {
            if (home.size() < each) {
                return Optional.empty();
            }
            int groups = home.size() / each;
            for (int group = 0; group < groups; group++) {
                int to = group + 1 == groups ? home.size() : (group + 1) * each;
                CpuSet domain = home.subList(group * each, to).stream().reduce(CpuSet.empty(), CpuSet::union);
                domains.add(domain);
                placed += domain.size() / cpus;
            }
        }
        return Optional.of(new CacheGroups(
                List.copyOf(domains), each, placed >= topology.allowedCpuSet().size() / cpus));
    }

    /** Caches of one node, or where nodes are larger than packages, of one package; a cache over several nodes is alone. */
    private static List<List<CpuSet>> homes(Topology topology, List<CpuSet> caches) {
        List<List<CpuSet>> homes = new ArrayList<>();
        List<CpuSet> left = new ArrayList<>(caches);
        for (AffinityLevel level : List.of(AffinityLevel.NUMA, AffinityLevel.PACKAGE)) {
            List<CpuSet> outer = HostDivision.domains(topology, level);
            boolean finer = level == AffinityLevel.PACKAGE
                    || HostDivision.domains(topology, AffinityLevel.PACKAGE).stream()
                            .allMatch(part ->
                                    outer.stream().noneMatch(node -> node.intersects(part) && !part.containsAll(node)));
            for (CpuSet part : finer ? outer : List.<CpuSet>of()) {
                List<CpuSet> inside = left.stream().filter(part::containsAll).toList();
                if (!inside.isEmpty()) {
                    homes.add(inside);
                    left.removeAll(inside);
                }
            }
        }
        left.forEach(cache -> homes.add(List.of(cache)));
        return homes;
    }

    /**
     * Whether nodes and packages consist of several L3 caches, of CPUs of one kind. On hybrid CPUs, where a cache counts once
     * for each kind, the kernel's knowledge of their speed is worth more than a place.
     */
    static boolean areFinerThanNodes(Topology topology) {
        List<CpuSet> caches = HostDivision.domains(topology, AffinityLevel.L3);
        List<CpuSet> nodes = HostDivision.domains(topology, AffinityLevel.NUMA);
        int real = topology.objectsIntersecting(topology.allowedCpuSet(), ObjectType.L3_CACHE)
                .size();
        return caches.size() == real
                && caches.size() > nodes.size()
                && caches.size()
                        > HostDivision.domains(topology, AffinityLevel.PACKAGE).size()
                && caches.stream().allMatch(cache -> nodes.stream().anyMatch(node -> node.containsAll(cache)));
    }
}
