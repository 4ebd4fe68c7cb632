package org.berth.topology.internal.xml;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.text.Words;
import org.berth.topology.Distances;
import org.berth.topology.TopologyException;
import org.berth.topology.TopologyObject;
import org.berth.topology.TopologyTree;
import org.berth.topology.type.ObjectType;

/**
 * A matrix as read, whose objects are known only when the tree is built.
 *
 * @param types the type of every object ({@code distances2hetero} mixes them)
 * @param byOsIndex whether {@code indexes} are the kernel's numbers; else hwloc's own
 */
public record DistancesDraft(
        String name, long kind, List<ObjectType> types, boolean byOsIndex, List<Long> indexes, List<Long> values) {
    /** A matrix of that many objects has 4 Mi values; real ones are over memory nodes and GPUs. */
    public static final int MAX_OBJECTS = 1 << 11;

    /** Reads the present element and leaves it. */
    static DistancesDraft read(XmlElements xml, boolean mixed) {
        int line = xml.line();
        String name = xml.optional("name").orElse("");
        long kind = xml.number("kind", 0);
        long count = xml.number("nbobjs", 0);
        if (count < 1 || count > MAX_OBJECTS) {
            throw xml.fault("nbobjs=\"" + count + "\" is out of range, 1 to " + MAX_OBJECTS);
        }
        boolean byOsIndex = !mixed && xml.required("indexing").equals("os");
        Optional<ObjectType> type = mixed ? Optional.empty() : Optional.of(type(xml, xml.required("type")));
        List<ObjectType> types = new ArrayList<>();
        List<Long> indexes = new ArrayList<>();
        List<Long> values = new ArrayList<>();
        while (xml.nextChild()) {
            switch (xml.name()) {
                case "indexes" -> {
                    for (String token : tokens(xml.text())) {
                        int colon = token.lastIndexOf(':');
                        types.add(type.isPresent() ? type.get() : type(xml, token.substring(0, Math.max(0, colon))));
                        indexes.add(number(xml, type.isPresent() ? token : token.substring(colon + 1)));
                    }
                }
                case "u64values" -> {
                    for (String token : tokens(xml.text())) {
                        values.add(number(xml, token));
                    }
                }
                default -> xml.skip();
            }
            if (indexes.size() > count || values.size() > count * count) {
                break;
            }
        }
        if (indexes.size() != count || values.size() != count * count) {
            throw new TopologyException("line " + line + ": distances of " + count + " objects have " + indexes.size()
                    + " indexes and " + values.size() + " values");
        }
        return new DistancesDraft(name, kind, types, byOsIndex, indexes, values);
    }

    private static ObjectType type(XmlElements xml, String name) {
        return ObjectType.named(name)
                .orElseThrow(() -> xml.fault("distances of the unknown type \"" + Words.quote(name) + "\""));
    }

    private static long number(XmlElements xml, String token) {
        return xml.parse("a distance", token, Long::parseUnsignedLong);
    }

    private static List<String> tokens(String text) {
        String stripped = text.strip();
        return stripped.isEmpty() ? List.of() : List.of(stripped.split("\\s+"));
    }

    /** Without the objects that are not in the tree; empty when fewer than two are: hwloc does the same. */
    Optional<Distances> resolve(TopologyTree tree, Map<Long, TopologyObject> byGlobalIndex) {
        List<TopologyObject> objects = new ArrayList<>();
        List<Integer> rows = new ArrayList<>();
        for (int i = 0; i < indexes.size(); i++) {
            TopologyObject object =
                    byOsIndex ? tree.byOsIndex(types.get(i), indexes.get(i)) : byGlobalIndex.get(indexes.get(i));
            if (object != null && object.type() == types.get(i)) {
                objects.add(object);
                rows.add(i);
            }
        }
        if (objects.size() < 2) {
            return Optional.empty();
        }
        long[] kept = new long[rows.size() * rows.size()];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = values.get(rows.get(i / rows.size()) * indexes.size() + rows.get(i % rows.size()));
        }
        return Optional.of(new Distances(name, kind, objects, kept));
    }
}
