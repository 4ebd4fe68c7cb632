package org.berth.topology.edit;

import java.util.ArrayList;
import java.util.List;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectDraft;
import org.berth.topology.internal.bits.BitmapText;

/** Puts a group into a tree, between the smallest object around its CPUs and those inside them. */
final class Grouping {
    private Grouping() {}

    /**
     * @return whether there is a new object: not when one has these very CPUs
     * @throws IllegalArgumentException when an object is half in the group
     */
    static boolean insert(ObjectDraft root, ObjectDraft group) {
        ObjectDraft around = around(root, group.cpus);
        if (around.cpus.equals(group.cpus)) {
            return false;
        }
        List<ObjectDraft> inside = new ArrayList<>();
        for (ObjectDraft child : around.children) {
            if (group.cpus.containsAll(child.cpus) && !child.cpus.isEmpty()) {
                inside.add(child);
            } else if (child.cpus.intersects(group.cpus)) {
                throw new IllegalArgumentException(
                        "cannot group the CPUs " + BitmapText.brief(group.cpus) + ": " + child.type.hwlocName()
                                + " of CPUs " + BitmapText.brief(child.cpus) + " has only some of them");
            }
        }
        for (ObjectDraft child : inside) {
            group.completeCpus = group.completeCpus.union(child.completeCpus);
            group.nodes = group.nodes.union(child.nodes);
            group.completeNodes = group.completeNodes.union(child.completeNodes);
        }
        around.children.removeAll(inside);
        group.children.addAll(inside);
        around.children.add(group);
        return true;
    }

    private static ObjectDraft around(ObjectDraft root, CpuSet cpus) {
        ObjectDraft around = root;
        boolean smaller = true;
        while (smaller) {
            smaller = false;
            for (ObjectDraft child : around.children) {
                if (child.cpus.containsAll(cpus)) {
                    around = child;
                    smaller = true;
                    break;
                }
            }
        }
        return around;
    }
}
