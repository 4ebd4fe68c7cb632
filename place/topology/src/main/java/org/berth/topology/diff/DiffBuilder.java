package org.berth.topology.diff;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.berth.topology.Distances;
import org.berth.topology.MemoryAttribute;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.diff.TopologyDiff.Change;
import org.berth.topology.diff.TopologyDiff.Kind;
import org.berth.topology.type.Info;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.jspecify.annotations.Nullable;

/** Walks through two machines side by side. */
final class DiffBuilder {
    /** hwloc's depths of what is not in the tree of CPUs ({@code HWLOC_TYPE_DEPTH_NUMANODE} is -3). */
    private static final List<ObjectType> SPECIAL = List.of(
            ObjectType.NUMA_NODE,
            ObjectType.BRIDGE,
            ObjectType.PCI_DEVICE,
            ObjectType.OS_DEVICE,
            ObjectType.MISC,
            ObjectType.MEMORY_CACHE);

    private static final int FIRST_SPECIAL_DEPTH = -3;

    private final List<Change> changes = new ArrayList<>();

    static Optional<ObjectType> typeOfDepth(int depth) {
        int position = FIRST_SPECIAL_DEPTH - depth;
        return position >= 0 && position < SPECIAL.size() ? Optional.of(SPECIAL.get(position)) : Optional.empty();
    }

    private static int depth(TopologyObject object) {
        return object.depth() >= 0 ? object.depth() : FIRST_SPECIAL_DEPTH - SPECIAL.indexOf(object.type());
    }

    List<Change> compare(Topology one, Topology other) {
        compare(one.root(), other.root());
        if (changes.stream().noneMatch(change -> change.kind() == Kind.TOO_COMPLEX)) {
            compareSections(one, other);
        }
        return changes;
    }

    private void compare(TopologyObject one, TopologyObject other) {
        String shape = shape(one, other);
        if (!shape.isEmpty()) {
            tooComplex(one, shape);
            return;
        }
        if (!one.name().equals(other.name())) {
            add(one, Kind.NAME, null, one.name().orElse(null), other.name().orElse(null));
        }
        if (one.attributes() instanceof ObjectAttributes.NumaNode mine
                && other.attributes() instanceof ObjectAttributes.NumaNode theirs
                && mine.localMemoryBytes() != theirs.localMemoryBytes()) {
            add(one, Kind.SIZE, null, "" + mine.localMemoryBytes(), "" + theirs.localMemoryBytes());
        }
        for (int i = 0; i < one.allInfos().size(); i++) {
            Info mine = one.allInfos().get(i);
            Info theirs = other.allInfos().get(i);
            if (!mine.equals(theirs)) {
                add(one, Kind.INFO, mine.name(), mine.value(), theirs.value());
            }
        }
        // hwloc goes through the normal children first.
        compareChildren(one, other, TopologyObject::children);
        compareChildren(one, other, TopologyObject::memoryChildren);
        compareChildren(one, other, TopologyObject::ioChildren);
        compareChildren(one, other, TopologyObject::miscChildren);
    }

    private void compareChildren(
            TopologyObject one, TopologyObject other, Function<TopologyObject, List<TopologyObject>> children) {
        List<TopologyObject> mine = children.apply(one);
        List<TopologyObject> theirs = children.apply(other);
        for (int i = 0; i < Math.min(mine.size(), theirs.size()); i++) {
            compare(mine.get(i), theirs.get(i));
        }
        if (mine.size() != theirs.size()) {
            List<TopologyObject> longer = mine.size() > theirs.size() ? mine : theirs;
            TopologyObject first = longer.get(Math.min(mine.size(), theirs.size()));
            tooComplex(
                    one,
                    mine.size() + " children become " + theirs.size() + ", the first of them that "
                            + (longer == mine ? "goes" : "comes") + " is " + first);
        }
    }

    /** The difference that makes further comparison pointless; "" when there is none. */
    private static String shape(TopologyObject one, TopologyObject other) {
        if (one.type() != other.type() || depth(one) != depth(other)) {
            return one + " becomes " + other;
        }
        if (one.osIndex() != other.osIndex() || !one.subtype().equals(other.subtype())) {
            return one + " becomes " + other;
        }
        if (!one.cpuSet().equals(other.cpuSet()) || !one.completeCpuSet().equals(other.completeCpuSet())) {
            return "CPUs " + one.cpuSet() + " become " + other.cpuSet();
        }
        if (!one.nodeSet().equals(other.nodeSet()) || !one.completeNodeSet().equals(other.completeNodeSet())) {
            return "memory nodes " + one.nodeSet() + " become " + other.nodeSet();
        }
        boolean sized = one.type() == ObjectType.NUMA_NODE;
        if (!sized && !one.attributes().equals(other.attributes())) {
            return "attributes " + one.attributes() + " become " + other.attributes();
        }
        List<String> mine = one.allInfos().stream().map(Info::name).toList();
        List<String> theirs = other.allInfos().stream().map(Info::name).toList();
        return mine.equals(theirs) ? "" : "infos " + mine + " become " + theirs;
    }

    private void compareSections(Topology one, Topology other) {
        if (!one.allowedCpuSet().equals(other.allowedCpuSet())) {
            tooComplex(one.root(), "allowed CPUs " + one.allowedCpuSet() + " become " + other.allowedCpuSet());
        } else if (!one.allowedNodeSet().equals(other.allowedNodeSet())) {
            tooComplex(one.root(), "allowed nodes " + one.allowedNodeSet() + " become " + other.allowedNodeSet());
        } else if (!same(one.distances(), other.distances(), DiffBuilder::key)) {
            tooComplex(
                    one.root(), "distances " + one.distances() + " become " + other.distances() + " or other values");
        } else if (!same(one.memoryAttributes(), other.memoryAttributes(), DiffBuilder::key)) {
            tooComplex(one.root(), "memory attributes are different");
        } else if (!one.cpuKinds().equals(other.cpuKinds())) {
            tooComplex(one.root(), "kinds of CPUs are different");
        }
    }

    private static <T> boolean same(List<T> one, List<T> other, Function<T, List<?>> key) {
        return one.stream().map(key).toList().equals(other.stream().map(key).toList());
    }

    private static List<?> key(Distances matrix) {
        List<String> objects =
                matrix.objects().stream().map(TopologyObject::toString).toList();
        List<Long> values = Arrays.stream(matrix.values()).boxed().toList();
        return List.of(matrix.name(), matrix.kind(), objects, values);
    }

    private static List<?> key(MemoryAttribute attribute) {
        List<?> values = attribute.values().stream()
                .map(value -> List.of(
                        value.target().toString(),
                        value.initiator(),
                        Objects.toString(value.initiatorObject()),
                        value.value()))
                .toList();
        return List.of(attribute.name(), attribute.flags(), values);
    }

    private void tooComplex(TopologyObject object, String words) {
        add(object, Kind.TOO_COMPLEX, null, null, words);
    }

    private void add(
            TopologyObject object,
            Kind kind,
            @Nullable String name,
            @Nullable String oldValue,
            @Nullable String newValue) {
        changes.add(new Change(kind, depth(object), object.logicalIndex(), name, oldValue, newValue));
    }
}
