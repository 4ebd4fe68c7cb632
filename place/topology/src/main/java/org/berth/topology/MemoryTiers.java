package org.berth.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.topology.type.ObjectType;

/** Sorts memory nodes by technology: hwloc 2 says it of each node, and what they achieve is in the memory attributes. */
final class MemoryTiers {
    private MemoryTiers() {}

    /** The fastest first, as far as bandwidths and latencies tell; else in the order of the nodes. */
    static List<MemoryTier> of(Topology topology) {
        Map<String, List<TopologyObject>> kinds = new LinkedHashMap<>();
        for (TopologyObject node : topology.objects(ObjectType.NUMA_NODE)) {
            kinds.computeIfAbsent(kind(node), kind -> new ArrayList<>()).add(node);
        }
        List<MemoryTier> tiers = new ArrayList<>();
        kinds.forEach((kind, nodes) -> {
            long sizeBytes =
                    nodes.stream().mapToLong(TopologyObject::totalMemoryBytes).reduce(0, TopologyObject::saturatedSum);
            long bandwidth = local(topology, "Bandwidth", "ReadBandwidth", nodes, true);
            long latency = local(topology, "Latency", "ReadLatency", nodes, false);
            tiers.add(new MemoryTier(kind, nodes, sizeBytes, bandwidth, latency));
        });
        tiers.sort(Comparator.comparingLong(MemoryTier::bandwidthMebibytesPerSecond)
                .reversed()
                .thenComparingLong(tier -> tier.latencyNanos() == 0 ? Long.MAX_VALUE : tier.latencyNanos()));
        return List.copyOf(tiers);
    }

    /** Whether a node is of the kind that memory is unless hwloc knows better. */
    static boolean isDram(TopologyObject node) {
        String kind = kind(node);
        return kind.isEmpty() || kind.equalsIgnoreCase("DRAM");
    }

    private static String kind(TopologyObject node) {
        return node.subtype().orElseGet(() -> node.infos().getOrDefault("MemoryTier", ""));
    }

    private static long local(
            Topology topology, String attribute, String otherwise, List<TopologyObject> nodes, boolean greatest) {
        Optional<MemoryAttribute> known =
                topology.memoryAttribute(attribute).or(() -> topology.memoryAttribute(otherwise));
        long best = 0;
        for (TopologyObject node : known.isPresent() ? nodes : List.<TopologyObject>of()) {
            long value = known.get().value(node, node.cpuSet()).orElse(0);
            boolean better = greatest ? value > best : value > 0 && (best == 0 || value < best);
            best = better ? value : best;
        }
        return best;
    }
}
