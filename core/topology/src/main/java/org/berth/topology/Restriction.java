package org.berth.topology;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Takes CPUs or memory nodes out of a tree, and the objects that nothing is left of, as hwloc does. */
final class Restriction {
    final CpuSet droppedCpus;
    final NodeSet droppedNodes;
    private final boolean byNodes;
    private final Set<RestrictOption> options;

    private Restriction(CpuSet droppedCpus, NodeSet droppedNodes, boolean byNodes, Set<RestrictOption> options) {
        this.droppedCpus = droppedCpus;
        this.droppedNodes = droppedNodes;
        this.byNodes = byNodes;
        this.options = options;
    }

    static Restriction toCpus(ObjectDraft root, CpuSet kept, Set<RestrictOption> options) {
        CpuSet dropped = kept.complement();
        NodeSet nodes = NodeSet.empty();
        if (options.contains(RestrictOption.REMOVE_CPULESS)) {
            for (ObjectDraft node : all(root, ObjectType.NUMA_NODE)) {
                nodes = dropped.containsAll(node.cpus) ? nodes.union(node.nodes) : nodes;
            }
        }
        if (nodes.containsAll(root.nodes)) {
            throw new IllegalArgumentException("the CPUs " + kept + " have no memory node");
        }
        return new Restriction(dropped, nodes, false, options);
    }

    static Restriction toNodes(ObjectDraft root, NodeSet kept, Set<RestrictOption> options) {
        NodeSet dropped = kept.complement();
        CpuSet cpus = CpuSet.empty();
        if (options.contains(RestrictOption.REMOVE_MEMLESS)) {
            for (ObjectDraft pu : all(root, ObjectType.PU)) {
                cpus = dropped.containsAll(pu.nodes) ? cpus.union(pu.cpus) : cpus;
            }
        }
        if (cpus.containsAll(root.cpus)) {
            throw new IllegalArgumentException("the memory nodes " + kept + " have no CPU");
        }
        return new Restriction(cpus, dropped, true, options);
    }

    private static List<ObjectDraft> all(ObjectDraft root, ObjectType type) {
        List<ObjectDraft> found = new ArrayList<>();
        root.forEach(draft -> {
            if (draft.type == type) {
                found.add(draft);
            }
        });
        return found;
    }

    void apply(ObjectDraft root) {
        restrict(root);
    }

    /** Whether nothing is left of the object. */
    private boolean restrict(ObjectDraft object) {
        boolean touched = byNodes
                ? object.completeNodes.intersects(droppedNodes) || vanishing(object.completeNodes)
                : object.completeCpus.intersects(droppedCpus) || vanishing(object.completeCpus);
        object.cpus = object.cpus.minus(droppedCpus);
        object.completeCpus = object.completeCpus.minus(droppedCpus);
        object.nodes = object.nodes.minus(droppedNodes);
        object.completeNodes = object.completeNodes.minus(droppedNodes);
        if (touched) {
            restrictChildren(object, object.children);
            restrictChildren(object, object.memoryChildren);
        }
        boolean last = byNodes
                ? object.nodes.isEmpty() && (object.type != ObjectType.PU || removesOthers())
                : object.cpus.isEmpty() && (object.type != ObjectType.NUMA_NODE || removesOthers());
        return last && object.children.isEmpty() && object.memoryChildren.isEmpty();
    }

    private boolean vanishing(IndexSet<?> complete) {
        return removesOthers() && complete.isEmpty();
    }

    private boolean removesOthers() {
        return options.contains(byNodes ? RestrictOption.REMOVE_MEMLESS : RestrictOption.REMOVE_CPULESS);
    }

    private void restrictChildren(ObjectDraft parent, List<ObjectDraft> children) {
        for (Iterator<ObjectDraft> i = children.iterator(); i.hasNext(); ) {
            ObjectDraft child = i.next();
            if (restrict(child)) {
                i.remove();
                if (options.contains(RestrictOption.ADAPT_IO)) {
                    parent.ioChildren.addAll(child.ioChildren);
                }
                if (options.contains(RestrictOption.ADAPT_MISC)) {
                    parent.miscChildren.addAll(child.miscChildren);
                }
            }
        }
    }
}
