package org.berth.topology.internal.xml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.IndexSet;
import org.berth.topology.NodeSet;
import org.berth.topology.ObjectDraft;
import org.berth.topology.TopologyException;
import org.berth.topology.internal.bits.Bitmap;
import org.berth.topology.internal.bits.BitmapBuilder;
import org.berth.topology.type.ObjectType;

/** Completes the sets of a read tree as hwloc does, puts children in order and refuses trees that no machine can have. */
public final class TreeChecker {
    public static final Comparator<ObjectDraft> BY_FIRST_CPU =
            Comparator.comparingLong(object -> Integer.toUnsignedLong(object.completeCpus.first()));

    private final List<ObjectDraft> pus = new ArrayList<>();
    private final List<ObjectDraft> numaNodes = new ArrayList<>();

    private TreeChecker() {}

    public static void check(ObjectDraft root) {
        if (root.type != ObjectType.MACHINE) {
            throw root.fault("is the root; expected a Machine");
        }
        TreeChecker checker = new TreeChecker();
        checker.visit(root, NodeSet.empty());
        CpuSet cpus = CpuSet.over(checker.indexes(checker.pus));
        NodeSet nodes = NodeSet.over(checker.indexes(checker.numaNodes));
        if (cpus.isEmpty() || nodes.isEmpty()) {
            throw root.fault(cpus.isEmpty() ? "has no PU" : "has no NUMANode");
        }
        if (!cpus.equals(root.cpus)) {
            throw root.fault("has the cpuset " + brief(root.cpus) + " but its PUs are " + brief(cpus));
        }
        if (!nodes.equals(root.nodes)) {
            throw root.fault("has the nodeset " + brief(root.nodes) + " but its NUMANodes are " + brief(nodes));
        }
    }

    /** @param above memory nodes that hang higher up, all of them local to the whole object */
    private void visit(ObjectDraft object, NodeSet above) {
        if (object.type == ObjectType.PU) {
            pus.add(object);
            if (!object.cpus.equals(CpuSet.of(object.osIndex))) {
                throw object.fault("has the cpuset " + brief(object.cpus));
            }
            if (!object.completeCpus.equals(object.cpus)) {
                throw object.fault("has the complete_cpuset " + brief(object.completeCpus));
            }
        } else if (object.type == ObjectType.NUMA_NODE) {
            numaNodes.add(object);
            if (!object.nodes.equals(NodeSet.of(object.osIndex))) {
                throw object.fault("has the nodeset " + brief(object.nodes));
            }
            if (!object.completeNodes.equals(object.nodes)) {
                throw object.fault("has the complete_nodeset " + brief(object.completeNodes));
            }
        }
        object.children.sort(BY_FIRST_CPU);
        checkChildren(object);
        NodeSet around = above;
        for (ObjectDraft child : object.memoryChildren) {
            visit(child, NodeSet.empty());
            if (child.cpus.equals(object.cpus)) {
                around = around.union(child.nodes);
            }
        }
        if (!object.cpus.isEmpty() && !object.nodes.containsAll(around)) {
            throw object.fault("has the nodeset " + brief(object.nodes) + " without all of " + brief(around)
                    + ", which it is local to");
        }
        object.nodesLocalToAll = object.nodes.equals(around);
        for (ObjectDraft child : object.children) {
            visit(child, around);
        }
    }

    /**
     * Completes the sets of a tree that was read: what is not in the complete sets of the parent is not in those of its
     * children, and memory has the CPUs of its parent, those that are offline too. hwloc does the same at load
     * ({@code fixup_sets}), and not after a restriction.
     */
    static void complete(ObjectDraft object) {
        for (ObjectDraft child : object.children) {
            child.completeCpus = within(child.completeCpus, child.cpus, object.completeCpus);
            child.completeNodes = within(child.completeNodes, child.nodes, object.completeNodes);
            complete(child);
        }
        for (ObjectDraft child : object.memoryChildren) {
            child.cpus = object.cpus;
            child.completeCpus = object.completeCpus;
            child.completeNodes = within(child.completeNodes, child.nodes, object.completeNodes);
            complete(child);
        }
    }

    /** The present members stay: {@link #checkChildren} judges them. */
    private static <S extends IndexSet<S>> S within(S complete, S present, S parents) {
        return parents.containsAll(complete)
                ? complete
                : complete.intersection(parents).union(present);
    }

    private static void checkChildren(ObjectDraft object) {
        CpuSet free = object.cpus;
        for (ObjectDraft child : object.children) {
            if (!free.containsAll(child.cpus)) {
                throw child.fault("has the cpuset " + brief(child.cpus)
                        + (object.cpus.containsAll(child.cpus)
                                ? ", shared with a sibling"
                                : ", not all inside its parent's"));
            }
            free = free.minus(child.cpus);
        }
        boolean complete = true;
        for (ObjectDraft child : object.children) {
            complete &= child.completeCpus.equals(child.cpus);
        }
        if (!complete) {
            checkCompleteSets(object);
        }
        checkNodes(object, object.children);
        checkNodes(object, object.memoryChildren);
    }

    private static void checkCompleteSets(ObjectDraft object) {
        CpuSet free = object.completeCpus;
        for (ObjectDraft child : object.children) {
            if (!free.containsAll(child.completeCpus)) {
                throw child.fault("has the complete_cpuset " + brief(child.completeCpus) + ", shared with a sibling");
            }
            free = free.minus(child.completeCpus);
        }
    }

    private static void checkNodes(ObjectDraft object, List<ObjectDraft> children) {
        for (ObjectDraft child : children) {
            if (!object.nodes.containsAll(child.nodes)) {
                throw child.fault("has the nodeset " + brief(child.nodes) + ", not all inside its parent's");
            }
        }
    }

    private Bitmap indexes(List<ObjectDraft> objects) {
        BitmapBuilder builder = new BitmapBuilder();
        for (ObjectDraft object : objects) {
            builder.add(object.osIndex);
        }
        Bitmap indexes = builder.build();
        if (indexes.size() != objects.size()) {
            throw duplicate(objects);
        }
        return indexes;
    }

    private static TopologyException duplicate(List<ObjectDraft> objects) {
        List<ObjectDraft> sorted = new ArrayList<>(objects);
        sorted.sort(Comparator.comparingInt(object -> object.osIndex));
        for (int i = 1; i < sorted.size(); i++) {
            if (sorted.get(i).osIndex == sorted.get(i - 1).osIndex) {
                return sorted.get(i).fault("exists already, in line " + sorted.get(i - 1).line);
            }
        }
        throw new IllegalStateException("no duplicate");
    }

    private static String brief(IndexSet<?> set) {
        return "\"" + Words.quote(set.toString()) + "\"";
    }
}
