package org.berth.topology.diff;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.berth.text.Words;
import org.berth.topology.ObjectDraft;
import org.berth.topology.Topology;
import org.berth.topology.TopologyException;
import org.berth.topology.TopologyObject;
import org.berth.topology.edit.TopologyEditor;
import org.berth.topology.internal.xml.GuardedReader;
import org.berth.topology.internal.xml.XmlElements;
import org.berth.topology.type.Info;
import org.berth.topology.type.ObjectAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The differences between two machines of the same shape, such as the nodes of a cluster. Applied to the first, they
 * give the second. Immutable and thread-safe. Its XML is that of {@code hwloc-diff} and {@code hwloc-patch}.
 *
 * @since 0.1.0
 */
public final class TopologyDiff {
    private static final int LONGEST_FAULT = 300;

    private final Optional<String> reference;
    private final List<Change> changes;

    private TopologyDiff(Optional<String> reference, List<Change> changes) {
        this.reference = reference;
        this.changes = List.copyOf(changes);
    }

    /** The subject of a change ({@code hwloc_topology_diff_obj_attr_type_e}). */
    public enum Kind {
        /** Bytes of a memory node. */
        SIZE,
        /** Name of an object. */
        NAME,
        /** Value of an info. */
        INFO,
        /** The objects, and what is below them, are too different to be compared piece by piece. */
        TOO_COMPLEX
    }

    /**
     * One difference.
     *
     * @param depth depth of the object's level; for memory, I/O and misc objects hwloc's negative number of the type
     * @param logicalIndex of the object in its level
     * @param name of the info; null for other kinds
     * @param oldValue null for a name that was not there
     * @param newValue null for a name that is not there; with {@link Kind#TOO_COMPLEX} what is different, in words
     */
    public record Change(
            Kind kind,
            int depth,
            int logicalIndex,
            @Nullable String name,
            @Nullable String oldValue,
            @Nullable String newValue) {

        Change reversed() {
            return new Change(kind, depth, logicalIndex, name, newValue, oldValue);
        }
    }

    /**
     * Compares object by object, then what is allowed, matrices, memory attributes and kinds of CPUs
     * ({@code hwloc_topology_diff_build}). hwloc's own numbers of objects are not compared.
     */
    public static TopologyDiff between(Topology one, Topology other) {
        return new TopologyDiff(Optional.empty(), new DiffBuilder().compare(one, other));
    }

    /** The differences, those of an object before those below it; empty when there are none. */
    public List<Change> changes() {
        return changes;
    }

    /** Whether one machine can be derived from the other by {@link #applyTo}: no change is {@link Kind#TOO_COMPLEX}. */
    public boolean isApplicable() {
        return changes.stream().noneMatch(change -> change.kind() == Kind.TOO_COMPLEX);
    }

    /** The first machine's name in the file, usually that of its own file. */
    public Optional<String> reference() {
        return reference;
    }

    /** The same with another name of the first machine. */
    public TopologyDiff withReference(String name) {
        return new TopologyDiff(Optional.of(TopologyEditor.checked(name)), changes);
    }

    /**
     * From the second machine to the first ({@code hwloc_topology_diff_apply} with HWLOC_TOPOLOGY_DIFF_APPLY_REVERSE).
     */
    public TopologyDiff reversed() {
        List<Change> backwards = new ArrayList<>(changes);
        Collections.reverse(backwards);
        return new TopologyDiff(
                reference, backwards.stream().map(Change::reversed).toList());
    }

    /**
     * Derives the second machine from the first ({@code hwloc_topology_diff_apply}).
     *
     * @throws IllegalArgumentException when it is too complex, or the machine is not as it was; names the first change
     *     that does not fit
     */
    public Topology applyTo(Topology topology) {
        TopologyEditor editor = TopologyEditor.of(topology);
        for (int i = 0; i < changes.size(); i++) {
            String fault = apply(changes.get(i), topology, editor);
            if (!fault.isEmpty()) {
                throw new IllegalArgumentException("change " + (i + 1) + " of " + changes.size() + " does not fit: "
                        + Words.oneLine(fault, LONGEST_FAULT));
            }
        }
        return editor.build();
    }

    /** Changes the draft, or returns the reason why it cannot. */
    private static String apply(Change change, Topology topology, TopologyEditor editor) {
        Optional<TopologyObject> found = object(change, topology);
        if (change.kind() == Kind.TOO_COMPLEX || found.isEmpty()) {
            return found.isEmpty()
                    ? "there is no object " + change.logicalIndex() + " at depth " + change.depth()
                    : "it is too complex: " + change.newValue();
        }
        ObjectDraft draft = editor.draft(found.get());
        String now = switch (change.kind()) {
            case SIZE ->
                draft.attributes instanceof ObjectAttributes.NumaNode node
                        ? Long.toString(node.localMemoryBytes())
                        : null;
            case NAME -> draft.name;
            default -> info(draft, change);
        };
        if (now == null ? change.oldValue() != null : !now.equals(change.oldValue())) {
            return found.get() + " has " + now + " instead of " + change.oldValue();
        }
        set(draft, change);
        return "";
    }

    /** The value to be changed; of several infos of one name that one counts which has it, as for hwloc. */
    private static @Nullable String info(ObjectDraft draft, Change change) {
        return draft.infos.contains(info(change, change.oldValue()))
                ? change.oldValue()
                : draft.infos.first(String.valueOf(change.name()));
    }

    private static Info info(Change change, @Nullable String value) {
        return new Info(String.valueOf(change.name()), String.valueOf(value));
    }

    private static void set(ObjectDraft draft, Change change) {
        String value = change.newValue();
        switch (change.kind()) {
            case SIZE -> {
                ObjectAttributes.NumaNode node = (ObjectAttributes.NumaNode) draft.attributes;
                draft.attributes =
                        new ObjectAttributes.NumaNode(Long.parseLong(String.valueOf(value)), node.pagesBySizeBytes());
            }
            case NAME -> draft.name = value;
            default -> draft.infos.replace(info(change, change.oldValue()), info(change, value));
        }
    }

    /** The object of a change in a machine that has it. */
    public static Optional<TopologyObject> object(Change change, Topology topology) {
        if (change.depth() >= 0) {
            return change.depth() < topology.depth()
                    ? at(topology.level(change.depth()), change.logicalIndex())
                    : Optional.empty();
        }
        return DiffBuilder.typeOfDepth(change.depth())
                .flatMap(type -> at(topology.objects(type), change.logicalIndex()));
    }

    private static Optional<TopologyObject> at(List<TopologyObject> objects, int index) {
        return index >= 0 && index < objects.size() ? Optional.of(objects.get(index)) : Optional.empty();
    }

    /**
     * Reads the XML of {@code hwloc-diff} ({@code hwloc_topology_diff_load_xml}, {@code
     * hwloc_topology_diff_load_xmlbuffer}).
     *
     * @throws TopologyException one line that says what is wrong, and in which line
     */
    public static TopologyDiff parse(String xml) {
        XmlElements elements = new XmlElements(new GuardedReader(new StringReader(xml)));
        if (!elements.nextChild() || !elements.name().equals("topologydiff")) {
            throw elements.fault("is not a difference of topologies");
        }
        Optional<String> reference = elements.optional("refname");
        List<Change> changes = new ArrayList<>();
        while (elements.nextChild()) {
            if (elements.name().equals("diff")) {
                changes.add(DiffXml.read(elements));
            }
            elements.skip();
        }
        elements.finish();
        return new TopologyDiff(reference, changes);
    }

    /**
     * The XML that {@code hwloc-patch} reads ({@code hwloc_topology_diff_export_xml},
     * {@code hwloc_topology_diff_export_xmlbuffer}).
     *
     * @throws IllegalStateException when it is not {@link #isApplicable applicable}
     */
    public String toXml() {
        if (!isApplicable()) {
            throw new IllegalStateException("the difference is too complex to be written; see changes()");
        }
        return DiffXml.write(reference, changes);
    }

    /** "no difference", or the number of changes. */
    @Override
    public String toString() {
        return changes.isEmpty()
                ? "no difference"
                : changes.size() + " changes" + (isApplicable() ? "" : ", too complex");
    }
}
