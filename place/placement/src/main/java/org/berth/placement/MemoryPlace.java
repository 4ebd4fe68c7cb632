package org.berth.placement;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.placement.internal.parts.HostPart;
import org.berth.topology.CpuSet;
import org.berth.topology.MemoryTier;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * Which memory nodes a slot gets.
 *
 * @since 0.1.0
 */
public sealed interface MemoryPlace {
    /** The nodes that the slot's CPUs belong to. */
    MemoryPlace NEAR = new Near();

    /**
     * The allowed nodes for these CPUs; empty when there are none near them.
     *
     * @throws PlacementException one line, when nodes are not allowed, or there is no node of the tier
     */
    NodeSet nodes(Topology topology, CpuSet cpus);

    /**
     * Allowed nodes near these CPUs that this choice leaves alone, because they have memory only and are slower than
     * the nodes of the CPUs, or smaller: users who want them name them, or their tier.
     */
    NodeSet leftOut(Topology topology, CpuSet cpus);

    /** The note about nodes that are {@link #leftOut}. */
    static String leftOutNote(NodeSet nodes) {
        boolean one = nodes.size() == 1;
        return "near these CPUs, node" + (one ? " " : "s ") + nodes + (one ? " has" : " have")
                + " memory only: used by number or tier alone, as in bind:" + nodes;
    }

    /** The nodes that the slot's CPUs belong to ({@link Topology#nodesOf}). */
    record Near() implements MemoryPlace {
        @Override
        public NodeSet nodes(Topology topology, CpuSet cpus) {
            return topology.nodesOf(cpus).intersection(MemoryNodes.allowed(topology));
        }

        @Override
        public NodeSet leftOut(Topology topology, CpuSet cpus) {
            return topology.nodesNear(cpus)
                    .minus(topology.nodesOf(topology.cpuSet()))
                    .intersection(MemoryNodes.allowed(topology));
        }
    }

    /**
     * These nodes, wherever the CPUs are.
     *
     * @param nodes kernel numbers, all of them allowed
     */
    record Nodes(NodeSet nodes) implements MemoryPlace {
        @Override
        public NodeSet nodes(Topology topology, CpuSet cpus) {
            NodeSet allowed = MemoryNodes.allowed(topology);
            if (nodes.isEmpty() || !allowed.containsAll(nodes)) {
                throw new PlacementException(
                        "memory nodes '" + nodes + "' are not among the allowed nodes: choose from " + allowed);
            }
            return nodes;
        }

        @Override
        public NodeSet leftOut(Topology topology, CpuSet cpus) {
            return NodeSet.empty();
        }
    }

    /**
     * The nodes of one technology near the slot's CPUs, in each of its packages; else those of the package, and never
     * those of another.
     *
     * @param kind {@link MemoryTier#kind}, in upper or lower case; hwloc gives the nodes of most machines with a single
     * tier no name,     and these are {@code dram}
     */
    record Tier(String kind) implements MemoryPlace {
        /** What a user calls memory that hwloc has no other name for. */
        private static final String UNNAMED = "dram";

        @Override
        public NodeSet nodes(Topology topology, CpuSet cpus) {
            NodeSet all = topology.memoryTiers().stream()
                    .filter(tier -> kind.equalsIgnoreCase(name(tier)))
                    .findFirst()
                    .map(Tier::nodesOf)
                    .orElseThrow(() -> new PlacementException("there is no memory tier '" + kind
                            + "' on this machine: choose from " + listing(topology)));
            NodeSet tier = all.intersection(MemoryNodes.allowed(topology));
            NodeSet nodes = NodeSet.empty();
            for (CpuSet part : byPackage(topology, cpus)) {
                NodeSet own = topology.nodesNear(cpus.intersection(part)).intersection(tier);
                own = own.isEmpty() ? topology.nodesNear(part).intersection(tier) : own;
                if (own.isEmpty()) {
                    throw new PlacementException("no allowed node of memory tier '" + kind + "' is in the package of "
                            + HostPart.pus(cpus.intersection(part)) + ": this machine has " + listing(topology)
                            + "; memory of another package is used when its nodes are named");
                }
                nodes = nodes.union(own);
            }
            return nodes;
        }

        @Override
        public NodeSet leftOut(Topology topology, CpuSet cpus) {
            return NodeSet.empty();
        }

        /** The CPUs of each package of the slot; a machine that tells no packages counts as one. */
        private static List<CpuSet> byPackage(Topology topology, CpuSet cpus) {
            List<CpuSet> packages = topology.objects(ObjectType.PACKAGE).stream()
                    .map(TopologyObject::cpuSet)
                    .filter(each -> each.intersects(cpus))
                    .toList();
            return packages.isEmpty() ? List.of(topology.cpuSet()) : packages;
        }

        private static String name(MemoryTier tier) {
            return tier.kind().isEmpty() ? UNNAMED : tier.kind();
        }

        private static NodeSet nodesOf(MemoryTier tier) {
            return tier.nodes().stream()
                    .map(node -> NodeSet.of(node.osIndex()))
                    .reduce(NodeSet.empty(), NodeSet::union);
        }

        private static String listing(Topology topology) {
            Stream<String> tiers = topology.memoryTiers().stream()
                    .map(tier -> name(tier).toLowerCase(Locale.ROOT) + " (nodes " + nodesOf(tier) + ")");
            return tiers.collect(Collectors.joining(", "));
        }
    }
}
