package org.berth.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.topology.internal.bits.BitmapBuilder;
import org.berth.topology.type.NodeLocality;
import org.berth.topology.type.ObjectType;

/** Walks over the tree for {@link Topology}; the rules are those of hwloc's helper functions of the same purpose. */
final class Traversal {
    private Traversal() {}

    static NodeSet nodesNear(TopologyTree tree, CpuSet cpus) {
        TopologyObject around = tree.covering(cpus);
        if (around != null && around.nodesLocalToAll()) {
            return around.nodeSet();
        }
        NodeSet candidates = around == null ? tree.root.nodeSet() : around.nodeSet();
        int far = candidates.first();
        while (far >= 0 && near(tree, far, cpus)) {
            far = candidates.next(far);
        }
        if (far < 0) {
            return candidates;
        }
        BitmapBuilder nodes = new BitmapBuilder();
        for (int node = candidates.first(); node >= 0; node = candidates.next(node)) {
            if (near(tree, node, cpus)) {
                nodes.add(node);
            }
        }
        return NodeSet.over(nodes.build());
    }

    static NodeSet nodesOf(TopologyTree tree, CpuSet cpus) {
        List<TopologyObject> nodes = new ArrayList<>(tree.objects(ObjectType.NUMA_NODE));
        nodes.sort(Comparator.<TopologyObject>comparingInt(node -> node.cpuSet().size())
                .thenComparing(node -> !MemoryTiers.isDram(node))
                .thenComparingInt(TopologyObject::osIndex));
        CpuSet left = cpus;
        BitmapBuilder found = new BitmapBuilder();
        for (TopologyObject node : nodes) {
            if (node.cpuSet().intersects(left)) {
                found.add(node.osIndex());
                left = left.minus(node.cpuSet());
            }
        }
        return NodeSet.over(found.build());
    }

    private static boolean near(TopologyTree tree, int osIndex, CpuSet cpus) {
        TopologyObject node = tree.numaNode(osIndex);
        return node != null && node.cpuSet().intersects(cpus);
    }

    static CpuSet cpusNear(TopologyTree tree, NodeSet nodes) {
        int first = nodes.first();
        if (first >= 0 && nodes.next(first) < 0) {
            TopologyObject only = tree.numaNode(first);
            return only == null ? CpuSet.empty() : only.cpuSet();
        }
        BitmapBuilder cpus = new BitmapBuilder();
        for (TopologyObject node : tree.objects(ObjectType.NUMA_NODE)) {
            if (nodes.contains(node.osIndex())) {
                cpus.add(node.cpuSet().bits());
            }
        }
        return CpuSet.over(cpus.build());
    }

    static void addLargestInside(TopologyObject object, CpuSet cpus, List<TopologyObject> found) {
        if (!object.cpuSet().isEmpty() && cpus.containsAll(object.cpuSet())) {
            found.add(object);
            return;
        }
        for (TopologyObject child : object.children()) {
            if (child.cpuSet().intersects(cpus)) {
                addLargestInside(child, cpus, found);
            }
        }
    }

    static List<TopologyObject> inside(List<TopologyObject> objects, CpuSet cpus) {
        return objects.stream()
                .filter(object -> !object.cpuSet().isEmpty() && cpus.containsAll(object.cpuSet()))
                .toList();
    }

    static List<TopologyObject> intersecting(List<TopologyObject> objects, CpuSet cpus) {
        return objects.stream()
                .filter(object -> object.cpuSet().intersects(cpus))
                .toList();
    }

    static List<TopologyObject> withSameLocality(Topology topology, TopologyObject object, ObjectType type) {
        boolean io = object.type().isIo();
        if (io != type.isIo() || object.type() == ObjectType.MISC || type == ObjectType.MISC) {
            return List.of();
        }
        if (io) {
            TopologyObject device = pciOf(object);
            return topology.objects(type).stream()
                    .filter(other -> other.type() != ObjectType.BRIDGE && pciOf(other) == device)
                    .toList();
        }
        return topology.objects(type).stream()
                .filter(other -> other.cpuSet().equals(object.cpuSet())
                        && other.nodeSet().equals(object.nodeSet()))
                .toList();
    }

    /** The PCI device that an OS device is on, else what it hangs below. */
    private static TopologyObject pciOf(TopologyObject device) {
        TopologyObject object = device;
        TopologyObject parent = object.parentOrNull();
        while (object.type() == ObjectType.OS_DEVICE && parent != null) {
            object = parent;
            parent = object.parentOrNull();
        }
        return object;
    }

    static List<TopologyObject> localNumaNodes(Topology topology, CpuSet cpus, Set<NodeLocality> also) {
        return topology.objects(ObjectType.NUMA_NODE).stream()
                .filter(node -> isLocal(node.cpuSet(), cpus, also))
                .toList();
    }

    private static boolean isLocal(CpuSet node, CpuSet cpus, Set<NodeLocality> also) {
        return node.equals(cpus)
                || (also.contains(NodeLocality.LARGER) && node.containsAll(cpus))
                || (also.contains(NodeLocality.SMALLER) && cpus.containsAll(node))
                || (also.contains(NodeLocality.INTERSECTING) && node.intersects(cpus));
    }

    /** Up the tree, adding at each step the objects of the level that were farther away until then. */
    static List<TopologyObject> closest(Topology topology, TopologyObject object) {
        List<TopologyObject> closest = new ArrayList<>();
        if (object.depth() < 0) {
            throw new IllegalArgumentException(object + " is not part of the CPU tree");
        }
        List<TopologyObject> level = topology.level(object.depth());
        CpuSet seen = object.cpuSet();
        for (Optional<TopologyObject> up = object.parent();
                up.isPresent();
                up = up.get().parent()) {
            CpuSet wider = up.get().cpuSet();
            if (wider.equals(seen)) {
                continue;
            }
            for (TopologyObject other : level) {
                if (wider.containsAll(other.cpuSet()) && !seen.containsAll(other.cpuSet())) {
                    closest.add(other);
                }
            }
            seen = wider;
        }
        return List.copyOf(closest);
    }

    static List<CpuSet> allowedCores(Topology topology) {
        ObjectType type = topology.count(ObjectType.CORE) == 0 ? ObjectType.PU : ObjectType.CORE;
        List<CpuSet> cores = new ArrayList<>();
        for (TopologyObject core : topology.objects(type)) {
            CpuSet allowed = core.cpuSet().intersection(topology.allowedCpuSet());
            if (!allowed.isEmpty()) {
                cores.add(allowed);
            }
        }
        return List.copyOf(cores);
    }

    static CpuSet onePuPerCore(Topology topology, CpuSet cpus, int rank) {
        CpuSet result = cpus;
        for (TopologyObject core : topology.objects(ObjectType.CORE)) {
            CpuSet own = core.cpuSet().intersection(cpus);
            if (own.isEmpty()) {
                continue;
            }
            int kept = own.first();
            for (int i = 0; i < rank && kept >= 0; i++) {
                kept = own.next(kept);
            }
            result = result.minus(own);
            if (kept >= 0) {
                result = result.with(kept);
            }
        }
        return result;
    }
}
