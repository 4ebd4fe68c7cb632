package org.berth.topology;

import org.berth.text.Bytes;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;

/**
 * The tree as indented text, one object per line, memory before CPUs before devices, in the order of lstopo's console
 * output.
 */
final class Outline {
    private final StringBuilder text = new StringBuilder();

    private Outline() {}

    static String of(TopologyObject root) {
        Outline outline = new Outline();
        outline.add(root, 0);
        return outline.text.toString();
    }

    private void add(TopologyObject object, int indent) {
        text.append("  ".repeat(indent)).append(object).append(size(object)).append('\n');
        object.memoryChildren().forEach(child -> add(child, indent + 1));
        object.children().forEach(child -> add(child, indent + 1));
        object.ioChildren().forEach(child -> add(child, indent + 1));
        object.miscChildren().forEach(child -> add(child, indent + 1));
    }

    private static String size(TopologyObject object) {
        ObjectAttributes attributes = object.attributes();
        if (attributes instanceof ObjectAttributes.Cache cache) {
            return bytes(cache.sizeBytes());
        }
        if (attributes instanceof ObjectAttributes.MemoryCache cache) {
            return bytes(cache.sizeBytes());
        }
        if (object.type() == ObjectType.MACHINE || object.type() == ObjectType.NUMA_NODE) {
            return bytes(object.totalMemoryBytes());
        }
        return "";
    }

    private static String bytes(long bytes) {
        return bytes > 0 ? " " + Bytes.text(bytes) : "";
    }
}
