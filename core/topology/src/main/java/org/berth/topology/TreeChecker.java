package org.berth.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Puts the children of a read tree in order and refuses trees that no machine can have. */
final class TreeChecker {
    private static final Comparator<ObjectDraft> BY_FIRST_CPU =
            Comparator.comparingLong(object -> Integer.toUnsignedLong(object.completeCpus.first()));

    private final List<ObjectDraft> pus = new ArrayList<>();
    private final List<ObjectDraft> numaNodes = new ArrayList<>();

    private TreeChecker() {}

    static void check(ObjectDraft root) {
        if (root.type != ObjectType.MACHINE) {
            throw root.fault("is the root; expected a Machine");
        }
        TreeChecker checker = new TreeChecker();
        checker.visit(root);
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

    private void visit(ObjectDraft object) {
        if (object.type == ObjectType.PU) {
            pus.add(object);
            if (!object.cpus.equals(CpuSet.of(object.osIndex))) {
                throw object.fault("has the cpuset " + brief(object.cpus));
            }
        } else if (object.type == ObjectType.NUMA_NODE) {
            numaNodes.add(object);
            if (!object.nodes.equals(NodeSet.of(object.osIndex))) {
                throw object.fault("has the nodeset " + brief(object.nodes));
            }
        }
        object.children.sort(BY_FIRST_CPU);
        checkChildren(object);
        object.children.forEach(this::visit);
        object.memoryChildren.forEach(this::visit);
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
        for (ObjectDraft child : object.memoryChildren) {
            if (!object.nodes.containsAll(child.nodes)) {
                throw child.fault("has the nodeset " + brief(child.nodes) + ", not all inside its parent's");
            }
        }
    }

    private Bitmap indexes(List<ObjectDraft> objects) {
        long[] words = {};
        for (ObjectDraft object : objects) {
            words = BitmapText.set(words, object.osIndex, object.osIndex);
        }
        Bitmap indexes = Bitmap.of(words, false);
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
        return "\"" + BitmapText.shorten(set.toString()) + "\"";
    }
}
