package org.berth.topology.edit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.berth.text.Words;
import org.berth.topology.CpuKind;
import org.berth.topology.CpuSet;
import org.berth.topology.Distances;
import org.berth.topology.MemoryAttribute;
import org.berth.topology.MemoryAttributes;
import org.berth.topology.NodeSet;
import org.berth.topology.ObjectDraft;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.TopologyTree;
import org.berth.topology.internal.xml.CpuKinds;
import org.berth.topology.internal.xml.DistancesDraft;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a topology outside its tree, while it is edited. Matrices and attributes keep naming the objects of the
 * original; those that are left are looked up when the edited topology is built.
 */
final class EditedSections {
    private static final int LONGEST_LIST = 200;

    private final Function<TopologyObject, ObjectDraft> drafts;
    private List<Distances> distances;
    private List<MemoryAttribute> attributes;
    private List<CpuKind> kinds;

    EditedSections(Topology topology, Function<TopologyObject, ObjectDraft> drafts) {
        this.drafts = drafts;
        this.distances = topology.distances();
        this.attributes = topology.memoryAttributes();
        this.kinds = topology.cpuKinds();
    }

    Topology build(TopologyTree tree, CpuSet allowedCpus, NodeSet allowedNodes) {
        return new Topology(
                tree,
                allowedCpus,
                allowedNodes,
                distances.stream().map(this::built).toList(),
                CpuKinds.ranked(kinds),
                attributes.stream().map(this::built).toList());
    }

    private Distances built(Distances matrix) {
        return new Distances(
                matrix.name(),
                matrix.kind(),
                matrix.objects().stream().map(this::built).toList(),
                matrix.values());
    }

    private MemoryAttribute built(MemoryAttribute attribute) {
        List<MemoryAttribute.Value> values = new ArrayList<>();
        for (MemoryAttribute.Value value : attribute.values()) {
            TopologyObject from = value.initiatorObject();
            values.add(new MemoryAttribute.Value(
                    built(value.target()), value.initiator(), from == null ? null : built(from), value.value()));
        }
        return new MemoryAttribute(attribute.name(), attribute.flags(), values);
    }

    private TopologyObject built(TopologyObject original) {
        return drafts.apply(original).built();
    }

    /** Forgets what is said of objects that are gone. */
    void restrict(Predicate<TopologyObject> isLeft, CpuSet cpus) {
        distances = distances.stream()
                .map(matrix -> matrix.among(isLeft))
                .filter(matrix -> matrix.objects().size() > 1)
                .toList();
        List<MemoryAttribute> left = new ArrayList<>();
        for (MemoryAttribute attribute : attributes) {
            left.add(new MemoryAttribute(
                    attribute.name(), attribute.flags(), restricted(attribute.values(), isLeft, cpus)));
        }
        attributes = left;
        kinds = kinds.stream()
                .map(kind -> new CpuKind(-1, kind.cpus().intersection(cpus), kind.forcedEfficiency(), kind.infos()))
                .filter(kind -> !kind.cpus().isEmpty())
                .toList();
    }

    private static List<MemoryAttribute.Value> restricted(
            List<MemoryAttribute.Value> values, Predicate<TopologyObject> isLeft, CpuSet cpus) {
        List<MemoryAttribute.Value> left = new ArrayList<>();
        for (MemoryAttribute.Value value : values) {
            CpuSet initiator = value.initiator().intersection(cpus);
            TopologyObject from = value.initiatorObject();
            boolean lost =
                    from == null ? initiator.isEmpty() && !value.initiator().isEmpty() : !isLeft.test(from);
            if (!lost && isLeft.test(value.target())) {
                left.add(new MemoryAttribute.Value(value.target(), initiator, from, value.value()));
            }
        }
        return left;
    }

    void addDistances(String name, long kind, List<TopologyObject> objects, long[] values) {
        Set<TopologyObject> distinct = new HashSet<>(objects);
        if (objects.size() < 2 || distinct.size() < objects.size()) {
            throw new IllegalArgumentException(
                    "a matrix \"" + Words.quote(name) + "\" needs two or more different objects");
        }
        if (objects.size() > DistancesDraft.MAX_OBJECTS) {
            throw new IllegalArgumentException("a matrix \"" + Words.quote(name) + "\" of " + objects.size()
                    + " objects is larger than the limit of " + DistancesDraft.MAX_OBJECTS);
        }
        objects.forEach(this::requirePresent);
        distances = append(distances, new Distances(name, kind, objects, values.clone()));
    }

    void removeDistances(Predicate<Distances> unwanted) {
        distances = distances.stream().filter(unwanted.negate()).toList();
    }

    void removeOne(Distances unwanted) {
        int before = distances.size();
        removeDistances(matrix -> matrix == unwanted);
        if (distances.size() == before) {
            throw new IllegalArgumentException("the matrix " + unwanted + " is not, or no longer, part of the machine");
        }
    }

    void addMemoryAttribute(String name, long flags) {
        boolean known = position(name) >= 0
                || MemoryAttributes.isDerived(name)
                || MemoryAttributes.predefined(name).isPresent();
        if (known || !MemoryAttributes.areValid(flags)) {
            throw new IllegalArgumentException("a memory attribute \"" + Words.quote(name) + "\" with flags " + flags
                    + (known ? " exists already" : " cannot be"));
        }
        attributes = append(attributes, new MemoryAttribute(name, flags, List.of()));
    }

    void setMemoryAttribute(String name, TopologyObject target, @Nullable CpuSet from, long value) {
        requirePresent(target);
        int position = position(name);
        MemoryAttribute attribute = position < 0
                ? MemoryAttributes.predefined(name).orElseThrow(() -> noAttribute(name))
                : attributes.get(position);
        CpuSet initiator = from == null ? CpuSet.empty() : from;
        if (attribute.dependsOnInitiator() == initiator.isEmpty()) {
            throw new IllegalArgumentException("memory attribute \"" + Words.quote(name) + "\" "
                    + (initiator.isEmpty() ? "needs the CPUs that it holds for" : "is the same from everywhere"));
        }
        List<MemoryAttribute.Value> values = new ArrayList<>(attribute.values());
        values.removeIf(old -> old.target() == target && old.initiator().equals(initiator));
        values.add(new MemoryAttribute.Value(target, initiator, null, value));
        MemoryAttribute changed = new MemoryAttribute(name, attribute.flags(), values);
        attributes = attributes.stream()
                .map(old -> old.name().equals(name) ? changed : old)
                .toList();
        if (position < 0) {
            attributes = append(attributes, changed);
        }
    }

    private IllegalArgumentException noAttribute(String name) {
        List<String> names = attributes.stream().map(MemoryAttribute::name).toList();
        return new IllegalArgumentException("there is no memory attribute \"" + Words.quote(name)
                + "\" to be set; there are " + Words.oneLine(names.toString(), LONGEST_LIST));
    }

    /** Throws IllegalArgumentException for an object that is not, or no longer, part of the machine. */
    private void requirePresent(TopologyObject object) {
        Objects.requireNonNull(drafts.apply(object));
    }

    private int position(String name) {
        return attributes.stream().map(MemoryAttribute::name).toList().indexOf(name);
    }

    void addCpuKind(CpuKind kind) {
        kinds = CpuKinds.with(kinds, kind);
    }

    private static <T> List<T> append(List<T> list, T element) {
        List<T> longer = new ArrayList<>(list);
        longer.add(element);
        return longer;
    }
}
