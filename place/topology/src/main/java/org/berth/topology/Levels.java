package org.berth.topology;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.berth.text.Words;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.berth.topology.type.TypeNames;

/** Finds levels by type; the rules are those of hwloc's functions of the same purpose. */
final class Levels {
    private Levels() {}

    static List<Integer> depths(Topology topology, ObjectType type) {
        return IntStream.range(0, topology.depth())
                .filter(depth -> topology.levelType(depth) == type)
                .boxed()
                .toList();
    }

    static int depthOrBelow(Topology topology, ObjectType type) {
        List<Integer> exact = depths(topology, requireNormal(type));
        int depth = topology.depth() - 1;
        while (depth > 0 && compare(topology.levelType(depth - 1), type) > 0) {
            depth--;
        }
        return exact.isEmpty() ? depth : exact.get(0);
    }

    static int depthOrAbove(Topology topology, ObjectType type) {
        List<Integer> exact = depths(topology, requireNormal(type));
        int depth = 0;
        while (depth + 1 < topology.depth() && compare(topology.levelType(depth + 1), type) < 0) {
            depth++;
        }
        return exact.isEmpty() ? depth : exact.get(0);
    }

    private static ObjectType requireNormal(ObjectType type) {
        if (!type.isNormal()) {
            throw new IllegalArgumentException(type + " has no depth: it is not part of the tree of CPUs");
        }
        return type;
    }

    private static int compare(ObjectType one, ObjectType other) {
        return one.compareDepth(other).orElseThrow();
    }

    static OptionalInt cacheDepth(Topology topology, int cacheLevel, ObjectAttributes.CacheKind kind) {
        return IntStream.range(0, topology.depth())
                .filter(depth -> topology.level(depth).get(0).attributes() instanceof ObjectAttributes.Cache cache
                        && cache.depth() == cacheLevel
                        && (cache.kind() == kind || cache.kind() == ObjectAttributes.CacheKind.UNIFIED))
                .findFirst();
    }

    static OptionalInt memoryParentsDepth(Topology topology) {
        int[] depths = topology.objects(ObjectType.NUMA_NODE).stream()
                .mapToInt(Levels::normalParentDepth)
                .distinct()
                .toArray();
        return depths.length == 1 ? OptionalInt.of(depths[0]) : OptionalInt.empty();
    }

    private static int normalParentDepth(TopologyObject node) {
        TopologyObject parent = node.parentOrNull();
        while (parent != null && parent.type().isMemory()) {
            parent = parent.parentOrNull();
        }
        return parent == null ? -1 : parent.depth();
    }

    static List<TopologyObject> named(Topology topology, String typeName) {
        ObjectType type = ObjectType.named(typeName)
                .orElseThrow(() ->
                        new IllegalArgumentException("no kind of object is called \"" + Words.quote(typeName) + "\""));
        return topology.objects(type).stream()
                .filter(object -> isNamed(object, typeName))
                .toList();
    }

    private static boolean isNamed(TopologyObject object, String name) {
        ObjectAttributes attributes = object.attributes();
        if (attributes instanceof ObjectAttributes.OsDevice device) {
            return TypeNames.kind(name).map(device.kinds()::contains).orElse(true);
        }
        if (attributes instanceof ObjectAttributes.Group group) {
            return TypeNames.groupDepth(name)
                    .map(depth -> depth == group.depth())
                    .orElse(true);
        }
        String start = name.toLowerCase(Locale.ROOT);
        return object.type() != ObjectType.BRIDGE
                || start.startsWith("brid")
                || object.typeName().toLowerCase(Locale.ROOT).startsWith(start);
    }
}
