package org.berth.topology.edit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.ObjectDraft;
import org.berth.topology.internal.bits.BitmapText;
import org.berth.topology.internal.xml.TreeChecker;
import org.berth.topology.type.ObjectType;

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

    static Restriction toCpus(ObjectDraft root, CpuSet kept, NodeSet allowed, Set<RestrictOption> options) {
        CpuSet dropped = kept.complement();
        NodeSet nodes = NodeSet.empty();
        if (options.contains(RestrictOption.REMOVE_CPULESS)) {
            for (ObjectDraft node : all(root, ObjectType.NUMA_NODE)) {
                nodes = dropped.containsAll(node.cpus) ? nodes.union(node.nodes) : nodes;
            }
        }
        if (nodes.containsAll(allowed)) {
            throw new IllegalArgumentException("the CPUs " + BitmapText.brief(kept) + " have no allowed memory node");
        }
        return new Restriction(dropped, nodes, false, options);
    }

    static Restriction toNodes(ObjectDraft root, NodeSet kept, CpuSet allowed, Set<RestrictOption> options) {
        NodeSet dropped = kept.complement();
        CpuSet cpus = CpuSet.empty();
        if (options.contains(RestrictOption.REMOVE_MEMLESS)) {
            for (ObjectDraft pu : all(root, ObjectType.PU)) {
                cpus = dropped.containsAll(pu.nodes) ? cpus.union(pu.cpus) : cpus;
            }
        }
        if (cpus.containsAll(allowed)) {
            throw new IllegalArgumentException("the memory nodes " + BitmapText.brief(kept) + " have no allowed CPU");
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
        boolean touched = object.completeNodes.intersects(droppedNodes) || object.completeCpus.intersects(droppedCpus);
        object.cpus = object.cpus.minus(droppedCpus);
        object.completeCpus = object.completeCpus.minus(droppedCpus);
        object.nodes = object.nodes.minus(droppedNodes);
        object.completeNodes = object.completeNodes.minus(droppedNodes);
        if (touched) {
            restrictChildren(object, object.children);
            if (!droppedCpus.isEmpty()) {
                reorder(object.children);
            }
            restrictChildren(object, object.memoryChildren);
        }
        boolean last = byNodes
                ? object.nodes.isEmpty() && (object.type != ObjectType.PU || removesOthers())
                : object.cpus.isEmpty() && (object.type != ObjectType.NUMA_NODE || removesOthers());
        return last && object.children.isEmpty() && object.memoryChildren.isEmpty();
    }

    private boolean removesOthers() {
        return options.contains(byNodes ? RestrictOption.REMOVE_MEMLESS : RestrictOption.REMOVE_CPULESS);
    }

    /** The first CPUs may have changed. Of those without CPUs hwloc's sort turns the order round, so this does. */
    private static void reorder(List<ObjectDraft> children) {
        Collections.reverse(children);
        children.sort(TreeChecker.BY_FIRST_CPU);
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
