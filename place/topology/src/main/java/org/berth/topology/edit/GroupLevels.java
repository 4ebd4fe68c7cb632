package org.berth.topology.edit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.berth.topology.LevelBuilder;
import org.berth.topology.ObjectDraft;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;

/**
 * Takes out the levels of groups that say nothing more: each group is the only child of its parent, or has one child
 * only. hwloc does so whenever a tree has changed (its filter KEEP_STRUCTURE, which groups always have).
 */
final class GroupLevels {
    private GroupLevels() {}

    static void merge(ObjectDraft root) {
        List<List<ObjectDraft>> levels = new ArrayList<>(new LevelBuilder(root).levels());
        for (int i = levels.size() - 1; i > 0; i--) {
            List<ObjectDraft> parents = levels.get(i - 1);
            List<ObjectDraft> children = levels.get(i);
            if (!areSame(parents, children)) {
                continue;
            }
            if (mayGo(children)) {
                parents.forEach(GroupLevels::takeOverChild);
                levels.remove(i);
            } else if (mayGo(parents)) {
                Set<ObjectDraft> leaving = Collections.newSetFromMap(new IdentityHashMap<>());
                leaving.addAll(parents);
                // On an uneven machine the groups of one level have parents in several.
                levels.subList(0, i - 1).forEach(level -> level.forEach(above -> replaceChildren(above, leaving)));
                levels.remove(i - 1);
            }
        }
    }

    private static boolean areSame(List<ObjectDraft> parents, List<ObjectDraft> children) {
        if (parents.size() != children.size()) {
            return false;
        }
        boolean pus = children.get(0).type == ObjectType.PU;
        for (int i = 0; i < parents.size(); i++) {
            ObjectDraft parent = parents.get(i);
            boolean only = parent.children.size() == 1 && parent.children.get(0) == children.get(i);
            if (!only || (pus && !parent.memoryChildren.isEmpty())) {
                return false;
            }
        }
        return true;
    }

    private static boolean mayGo(List<ObjectDraft> level) {
        return level.stream()
                .allMatch(draft -> draft.attributes instanceof ObjectAttributes.Group group && !group.dontMerge());
    }

    private static void takeOverChild(ObjectDraft parent) {
        ObjectDraft child = parent.children.remove(0);
        parent.children.addAll(child.children);
        parent.memoryChildren.addAll(child.memoryChildren);
        parent.ioChildren.addAll(child.ioChildren);
        parent.miscChildren.addAll(child.miscChildren);
    }

    private static void replaceChildren(ObjectDraft above, Set<ObjectDraft> leaving) {
        for (int i = 0; i < above.children.size(); i++) {
            ObjectDraft group = above.children.get(i);
            if (leaving.contains(group)) {
                ObjectDraft child = group.children.get(0);
                child.memoryChildren.addAll(0, group.memoryChildren);
                child.ioChildren.addAll(0, group.ioChildren);
                child.miscChildren.addAll(0, group.miscChildren);
                above.children.set(i, child);
            }
        }
    }
}
