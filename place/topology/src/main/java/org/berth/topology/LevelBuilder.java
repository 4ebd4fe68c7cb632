package org.berth.topology;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;

/**
 * Sorts the objects of a tree into levels and numbers them (L#). The rules are hwloc's: a level takes the topmost
 * kind of object that is left, so irregular trees, in which one branch lacks a cache or has a group more, still get
 * one level for each kind.
 *
 * <p>It is not part of the API.
 */
public final class LevelBuilder {
    /** Real machines have about ten; the limit bounds the work that a hostile file can cause. */
    private static final int MAX_LEVELS = 256;

    private final List<List<ObjectDraft>> levels = new ArrayList<>();
    private final Map<ObjectType, List<ObjectDraft>> special = new EnumMap<>(ObjectType.class);

    public LevelBuilder(ObjectDraft root) {
        addLevel(List.of(root));
        List<ObjectDraft> frontier = root.children;
        while (!frontier.isEmpty()) {
            frontier = takeLevel(frontier);
        }
        numberGroups();
        collectSpecial(root);
    }

    /** The normal levels from the machine down to the PUs. */
    public List<List<ObjectDraft>> levels() {
        return levels;
    }

    /** Memory, I/O and misc objects of a type. */
    List<ObjectDraft> special(ObjectType type) {
        return special.getOrDefault(type, List.of());
    }

    private List<ObjectDraft> takeLevel(List<ObjectDraft> frontier) {
        ObjectDraft top = topmost(frontier);
        List<ObjectDraft> taken = new ArrayList<>();
        List<ObjectDraft> rest = new ArrayList<>();
        for (ObjectDraft object : frontier) {
            if (object.sameKind(top)) {
                taken.add(object);
                rest.addAll(object.children);
            } else {
                rest.add(object);
            }
        }
        if (levels.size() == MAX_LEVELS) {
            throw top.fault("opens more than the limit of " + MAX_LEVELS + " levels");
        }
        addLevel(taken);
        return rest;
    }

    private static ObjectDraft topmost(List<ObjectDraft> frontier) {
        ObjectDraft top = frontier.get(0);
        for (ObjectDraft object : frontier) {
            if (object.type != ObjectType.PU) {
                top = object;
                break;
            }
        }
        for (ObjectDraft object : frontier) {
            if (!object.sameKind(top) && hasBelow(object, top)) {
                top = object;
            }
        }
        return top;
    }

    private static boolean hasBelow(ObjectDraft object, ObjectDraft wanted) {
        for (ObjectDraft child : object.children) {
            if (child.sameKind(wanted) || hasBelow(child, wanted)) {
                return true;
            }
        }
        return false;
    }

    private void addLevel(List<ObjectDraft> objects) {
        for (int i = 0; i < objects.size(); i++) {
            objects.get(i).depth = levels.size();
            objects.get(i).logicalIndex = i;
        }
        levels.add(objects);
    }

    private void numberGroups() {
        int rank = 0;
        for (List<ObjectDraft> level : levels) {
            if (level.get(0).type != ObjectType.GROUP) {
                continue;
            }
            for (ObjectDraft object : level) {
                if (object.attributes instanceof ObjectAttributes.Group group) {
                    object.attributes =
                            new ObjectAttributes.Group(group.kind(), group.subkind(), rank, group.dontMerge());
                }
            }
            rank++;
        }
    }

    private void collectSpecial(ObjectDraft object) {
        if (!object.type.isNormal()) {
            List<ObjectDraft> list = special.get(object.type);
            if (list == null) {
                list = new ArrayList<>();
                special.put(object.type, list);
            }
            object.logicalIndex = list.size();
            list.add(object);
        }
        collectSpecial(object.children);
        collectSpecial(object.memoryChildren);
        collectSpecial(object.ioChildren);
        collectSpecial(object.miscChildren);
    }

    private void collectSpecial(List<ObjectDraft> objects) {
        for (ObjectDraft object : objects) {
            collectSpecial(object);
        }
    }
}
