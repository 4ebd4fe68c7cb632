package org.berth.placement.internal.policy;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import org.berth.topology.CpuSet;
import org.berth.topology.DeviceLocality;
import org.berth.topology.Distances;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * How far CPUs are from a device; the nearest come first in order.
 *
 * @param away whether any of the CPUs is not local to the device
 * @param distance of the nearest memory nodes of both, as the firmware tells; 0 when it does not, or when near
 * @param commonDepth depth of the smallest object that holds both
 */
record Remoteness(boolean away, long distance, int commonDepth) implements Comparable<Remoteness> {
    private static final Comparator<Remoteness> NEAREST_FIRST = Comparator.comparing(Remoteness::away)
            .thenComparingLong(Remoteness::distance)
            .thenComparing(Remoteness::commonDepth, Comparator.reverseOrder());

    static Remoteness of(CpuSet cpus, DeviceLocality device, Topology topology) {
        if (device.cpus().containsAll(cpus)) {
            return new Remoteness(false, 0, 0);
        }
        int depth = topology.covering(device.cpus().union(cpus))
                .map(TopologyObject::depth)
                .orElse(0);
        NodeSet nodes = device.cpus().isEmpty() ? device.nodes() : topology.nodesOf(device.cpus());
        return new Remoteness(true, distance(nodes, topology.nodesOf(cpus), topology), depth);
    }

    private static long distance(NodeSet from, NodeSet to, Topology topology) {
        List<Distances> latencies = topology.distances(ObjectType.NUMA_NODE).stream()
                .filter(Distances::isLatency)
                .toList();
        long nearest = Long.MAX_VALUE;
        for (Distances matrix : latencies.subList(0, Math.min(1, latencies.size()))) {
            for (int fromNode : from.toArray()) {
                for (int toNode : to.toArray()) {
                    nearest = Math.min(nearest, value(matrix, topology, fromNode, toNode));
                }
            }
        }
        return nearest == Long.MAX_VALUE ? 0 : nearest;
    }

    private static long value(Distances matrix, Topology topology, int fromNode, int toNode) {
        OptionalInt from = index(matrix, topology, fromNode);
        OptionalInt to = index(matrix, topology, toNode);
        return from.isPresent() && to.isPresent() ? matrix.value(from.getAsInt(), to.getAsInt()) : Long.MAX_VALUE;
    }

    private static OptionalInt index(Distances matrix, Topology topology, int node) {
        return topology.numaNode(node).map(matrix::indexOf).orElse(OptionalInt.empty());
    }

    @Override
    public int compareTo(Remoteness other) {
        return NEAREST_FIRST.compare(this, other);
    }
}
