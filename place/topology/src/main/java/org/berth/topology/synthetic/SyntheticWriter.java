package org.berth.topology.synthetic;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.synthetic.TopologySynthetic.Option;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;

/** Goes down the left side of a symmetric tree, as hwloc does. */
final class SyntheticWriter {
    private final Topology topology;
    private final Set<Option> options;
    private final List<String> words = new ArrayList<>();

    SyntheticWriter(Topology topology, Set<Option> options) {
        this.topology = topology;
        this.options = options;
    }

    String write() {
        boolean memory = !options.contains(Option.IGNORE_MEMORY);
        if (!isSymmetric(topology.root())) {
            throw new IllegalArgumentException(
                    "the machine is not symmetric, so no synthetic description can express" + " it");
        }
        if (memory && !hasSymmetricMemory()) {
            throw new IllegalArgumentException(
                    "the memory is not attached symmetrically, so no synthetic description can express it");
        }
        TopologyObject object = topology.root();
        if (memory) {
            addMemory(object);
        }
        while (!object.children().isEmpty()) {
            int arity = object.children().size();
            object = object.children().get(0);
            words.add(typeName(object) + ":" + arity + attributes(object));
            if (memory) {
                addMemory(object);
            }
        }
        return String.join(" ", words);
    }

    /** Whether all branches have as many objects of the same levels at each step. */
    private static boolean isSymmetric(TopologyObject object) {
        List<TopologyObject> children = object.children();
        if (!children.stream().allMatch(SyntheticWriter::isSymmetric)) {
            return false;
        }
        while (!children.isEmpty()) {
            TopologyObject first = children.get(0);
            for (TopologyObject other : children) {
                boolean alike = other.depth() == first.depth()
                        && other.children().size() == first.children().size();
                if (!alike) {
                    return false;
                }
            }
            children = first.children().isEmpty()
                    ? List.of()
                    : children.stream().map(child -> child.children().get(0)).toList();
        }
        return true;
    }

    /** Whether an object has as many memory children as all others of its level. */
    private boolean hasSymmetricMemory() {
        for (int depth = 0; depth < topology.depth(); depth++) {
            long counts = topology.level(depth).stream()
                    .map(object -> object.memoryChildren().size())
                    .distinct()
                    .count();
            if (counts > 1) {
                return false;
            }
        }
        return true;
    }

    private void addMemory(TopologyObject parent) {
        for (TopologyObject child : parent.memoryChildren()) {
            TopologyObject node = child;
            while (node.type() != ObjectType.NUMA_NODE) {
                node = node.memoryChildren().get(0);
            }
            words.add("[" + node.type().hwlocName() + attributes(node) + "]");
        }
    }

    private static String typeName(TopologyObject object) {
        boolean data = object.attributes() instanceof ObjectAttributes.Cache cache
                && cache.kind() == ObjectAttributes.CacheKind.DATA;
        String name = object.type().hwlocName();
        return data ? name.replace("Cache", "dCache") : name;
    }

    private String attributes(TopologyObject object) {
        if (options.contains(Option.NO_ATTRIBUTES)) {
            return "";
        }
        List<String> attributes = new ArrayList<>();
        if (object.attributes() instanceof ObjectAttributes.Cache cache && cache.sizeBytes() != 0) {
            attributes.add("size=" + cache.sizeBytes());
        }
        if (object.attributes() instanceof ObjectAttributes.NumaNode node && node.localMemoryBytes() != 0) {
            attributes.add("memory=" + node.localMemoryBytes());
        }
        long sideCacheBytes = sideCacheBytes(object);
        if (sideCacheBytes != 0) {
            attributes.add("memorysidecachesize=" + sideCacheBytes);
        }
        boolean indexed = object.type() == ObjectType.PU || object.type() == ObjectType.NUMA_NODE;
        if (indexed && object.logicalIndex() == 0) {
            List<TopologyObject> level = topology.objects(object.type());
            if (level.stream().anyMatch(other -> other.osIndex() != other.logicalIndex())) {
                attributes.add("indexes=" + SyntheticIndexes.of(level));
            }
        }
        return attributes.isEmpty() ? "" : "(" + String.join(" ", attributes) + ")";
    }

    private static long sideCacheBytes(TopologyObject object) {
        long bytes = 0;
        TopologyObject up = object.type() == ObjectType.NUMA_NODE ? object.parentOrNull() : null;
        while (up != null && up.attributes() instanceof ObjectAttributes.MemoryCache cache) {
            bytes += cache.sizeBytes();
            up = up.parentOrNull();
        }
        return bytes;
    }
}
