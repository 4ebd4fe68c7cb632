package org.berth.topology.edit;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.text.Words;
import org.berth.topology.CpuKind;
import org.berth.topology.CpuSet;
import org.berth.topology.Distances;
import org.berth.topology.LevelBuilder;
import org.berth.topology.MemoryAttribute;
import org.berth.topology.NodeSet;
import org.berth.topology.ObjectDraft;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.TopologyTree;
import org.berth.topology.internal.bits.BitmapText;
import org.berth.topology.internal.xml.TreeChecker;
import org.berth.topology.type.Info;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.jspecify.annotations.Nullable;

/**
 * Derives a changed machine from a machine, which itself stays as it is: restricted, with groups, misc objects, infos,
 * matrices, memory attributes and kinds of CPUs added.
 *
 * <pre>{@code
 * Topology half = TopologyEditor.of(machine).restrictTo(CpuSet.parseList("0-7"), RestrictOption.REMOVE_CPULESS).build();
 * }</pre>
 *
 * <p>Objects are named by those of the original topology. Changes happen in the order of the calls; one that fails has
 * changed nothing. For one thread; the topologies are for any.
 *
 * @since 0.1.0
 */
public final class TopologyEditor {
    private static final int LONGEST_TEXT = 4096;

    private final IdentityHashMap<TopologyObject, ObjectDraft> drafts = new IdentityHashMap<>();
    private final ObjectDraft root;
    private final EditedSections sections;
    private CpuSet allowedCpus;
    private NodeSet allowedNodes;
    private long lastGlobalIndex;

    private TopologyEditor(Topology topology) {
        root = ObjectDraft.of(topology.root(), drafts);
        allowedCpus = topology.allowedCpuSet();
        allowedNodes = topology.allowedNodeSet();
        sections = new EditedSections(topology, this::draft);
        root.forEach(draft -> lastGlobalIndex = Math.max(lastGlobalIndex, draft.globalIndex));
    }

    /** Begins with the machine as it is. */
    public static TopologyEditor of(Topology topology) {
        return new TopologyEditor(topology);
    }

    /** The changed machine; the editor can go on from there. */
    public Topology build() {
        TreeChecker.check(root);
        TopologyTree tree = new TopologyTree(root, new LevelBuilder(root));
        return sections.build(tree, allowedCpus, allowedNodes);
    }

    /**
     * Takes out all other CPUs, and what then is empty; memory nodes stay unless an option says otherwise
     * ({@code hwloc_topology_restrict}). Of the levels that then say nothing more those of groups go.
     *
     * @throws IllegalArgumentException when no allowed CPU would be left, or no memory node, or with REMOVE_MEMLESS
     */
    public TopologyEditor restrictTo(CpuSet cpus, RestrictOption... options) {
        Set<RestrictOption> set = set(options, RestrictOption.REMOVE_MEMLESS);
        if (!allowedCpus.intersects(cpus)) {
            throw new IllegalArgumentException("none of the CPUs " + BitmapText.brief(cpus) + " is among the allowed "
                    + BitmapText.brief(allowedCpus));
        }
        restrict(Restriction.toCpus(root, cpus, allowedNodes, set));
        return this;
    }

    /**
     * Takes out all other memory nodes, and what then is empty; PUs stay unless an option says otherwise
     * ({@code hwloc_topology_restrict} with HWLOC_RESTRICT_FLAG_BYNODESET).
     *
     * @throws IllegalArgumentException when no allowed node would be left, or no CPU, or with REMOVE_CPULESS
     */
    public TopologyEditor restrictTo(NodeSet nodes, RestrictOption... options) {
        Set<RestrictOption> set = set(options, RestrictOption.REMOVE_CPULESS);
        if (!allowedNodes.intersects(nodes)) {
            throw new IllegalArgumentException("none of the nodes " + BitmapText.brief(nodes) + " is among the allowed "
                    + BitmapText.brief(allowedNodes));
        }
        restrict(Restriction.toNodes(root, nodes, allowedCpus, set));
        return this;
    }

    private static Set<RestrictOption> set(RestrictOption[] options, RestrictOption wrong) {
        Set<RestrictOption> set = EnumSet.noneOf(RestrictOption.class);
        set.addAll(Arrays.asList(options));
        if (set.contains(wrong)) {
            throw new IllegalArgumentException(wrong + " is for the other kind of restriction");
        }
        return set;
    }

    private void restrict(Restriction restriction) {
        restriction.apply(root);
        GroupLevels.merge(root);
        allowedCpus = allowedCpus.minus(restriction.droppedCpus);
        allowedNodes = allowedNodes.minus(restriction.droppedNodes);
        Set<ObjectDraft> left = Collections.newSetFromMap(new IdentityHashMap<>());
        root.forEach(left::add);
        drafts.values().retainAll(left);
        sections.restrict(drafts::containsKey, root.cpus);
    }

    /**
     * Allows every CPU and memory node of the machine ({@code hwloc_topology_allow} with HWLOC_ALLOW_FLAG_ALL). What the
     * process may really use is not changed by that.
     */
    public TopologyEditor allowAll() {
        return allow(root.cpus, root.nodes);
    }

    /**
     * Allows these and no others ({@code hwloc_topology_allow} with HWLOC_ALLOW_FLAG_CUSTOM); what is not part of the
     * machine is left out.
     *
     * @throws IllegalArgumentException when no CPU or no memory node would be left
     */
    public TopologyEditor allow(CpuSet cpus, NodeSet nodes) {
        if (!root.cpus.intersects(cpus) || !root.nodes.intersects(nodes)) {
            throw new IllegalArgumentException(
                    "nothing would be allowed: CPUs " + BitmapText.brief(cpus) + " of " + BitmapText.brief(root.cpus)
                            + ", nodes " + BitmapText.brief(nodes) + " of " + BitmapText.brief(root.nodes));
        }
        allowedCpus = root.cpus.intersection(cpus);
        allowedNodes = root.nodes.intersection(nodes);
        return this;
    }

    /**
     * Sets an info of an object and replaces all infos of that name, unlike hwloc, which adds one more
     * ({@code hwloc_obj_add_info}).
     *
     * @throws IllegalArgumentException for characters that XML cannot hold, an empty name, an object that is not there
     */
    public TopologyEditor addInfo(TopologyObject object, String name, String value) {
        draft(object).infos.set(new Info(text(name, "name"), checked(value)));
        return this;
    }

    /**
     * Adds a misc object with that name below an object ({@code hwloc_topology_insert_misc_object}).
     *
     * @throws IllegalArgumentException for characters that XML cannot hold, an empty name, an object that is not there
     */
    public TopologyEditor addMisc(TopologyObject parent, String name) {
        ObjectDraft misc = new ObjectDraft(ObjectType.MISC, 0);
        misc.name = text(name, "name");
        misc.globalIndex = ++lastGlobalIndex;
        draft(parent).miscChildren.add(misc);
        return this;
    }

    /**
     * Groups objects that belong together: a new level between them and what is around them
     * ({@code hwloc_topology_alloc_group_object}, {@code hwloc_obj_add_other_obj_sets},
     * {@code hwloc_topology_insert_group_object}). When an object has these very CPUs already, it stands for the group and
     * nothing is added.
     *
     * @param subtype what to call the group: "Rack"
     * @throws IllegalArgumentException when the objects have no CPU, or some object would be half in the group
     */
    public TopologyEditor addGroup(Collection<TopologyObject> members, String subtype) {
        CpuSet cpus = CpuSet.empty();
        for (TopologyObject member : members) {
            cpus = cpus.union(draft(member).cpus);
        }
        return addGroup(cpus, subtype);
    }

    /**
     * Does the same as {@link #addGroup(Collection, String)} for the CPUs that are part of the machine.
     *
     * @throws IllegalArgumentException when none of them is, or some object would be half in the group
     */
    public TopologyEditor addGroup(CpuSet cpus, String subtype) {
        ObjectDraft group = new ObjectDraft(ObjectType.GROUP, 0);
        group.cpus = cpus.intersection(root.cpus);
        group.completeCpus = group.cpus;
        group.subtype = text(subtype, "subtype");
        group.attributes = new ObjectAttributes.Group(0, 0, 0, false);
        if (group.cpus.isEmpty()) {
            throw new IllegalArgumentException("a group \"" + Words.quote(subtype) + "\" without a CPU of the machine");
        }
        if (Grouping.insert(root, group)) {
            group.globalIndex = ++lastGlobalIndex;
        }
        return this;
    }

    /**
     * Adds a matrix ({@code hwloc_distances_add_create}, {@code hwloc_distances_add_values},
     * {@code hwloc_distances_add_commit}); no groups are made of it.
     *
     * @param name "" for none
     * @param kind hwloc's bits ({@code hwloc_distances_kind_e}); see {@link Distances#FROM_USER} and its neighbours
     * @param values row by row: from the first object to each, from the second to each, …
     * @throws IllegalArgumentException with fewer than two objects or more than 2,048, one of them twice, or another
     *     number of values
     */
    public TopologyEditor addDistances(String name, long kind, List<TopologyObject> objects, long... values) {
        sections.addDistances(checked(name), kind, objects, values);
        return this;
    }

    /** Removes all matrices ({@code hwloc_distances_remove}). */
    public TopologyEditor removeDistances() {
        sections.removeDistances(matrix -> true);
        return this;
    }

    /** Removes the matrices over objects of that type alone ({@code hwloc_distances_remove_by_type}). */
    public TopologyEditor removeDistances(ObjectType type) {
        sections.removeDistances(matrix -> matrix.isOf(type));
        return this;
    }

    /** Removes the matrices over objects of one level alone ({@code hwloc_distances_remove_by_depth}). */
    public TopologyEditor removeDistances(int depth) {
        sections.removeDistances(matrix -> matrix.objects().stream().allMatch(object -> object.depth() == depth));
        return this;
    }

    /**
     * Removes one matrix of the original topology ({@code hwloc_distances_release_remove}).
     *
     * @throws IllegalArgumentException when it is not, or no longer as it was, part of the machine
     */
    public TopologyEditor removeDistances(Distances distances) {
        sections.removeOne(distances);
        return this;
    }

    /**
     * Adds a property of memory nodes, without values yet ({@code hwloc_memattr_register}).
     *
     * @param flags hwloc's bits ({@code hwloc_memattr_flag_e}): {@link MemoryAttribute#HIGHER_FIRST} or
     *     {@link MemoryAttribute#LOWER_FIRST}, with {@link MemoryAttribute#NEED_INITIATOR} when it depends on where from
     * @throws IllegalArgumentException when there is one of that name, or the flags say both or neither
     */
    public TopologyEditor addMemoryAttribute(String name, long flags) {
        sections.addMemoryAttribute(text(name, "name"), flags);
        return this;
    }

    /**
     * Sets a value of a property that is there ({@code hwloc_memattr_set_value}).
     *
     * @param from the CPUs that the value holds for; null when the property does not depend on it
     * @throws IllegalArgumentException when there is no such property, or it depends on where from and that is missing
     */
    public TopologyEditor setMemoryAttribute(String name, TopologyObject target, @Nullable CpuSet from, long value) {
        sections.setMemoryAttribute(name, target, from, value);
        return this;
    }

    /**
     * Declares that CPUs are of one kind ({@code hwloc_cpukinds_register}); kinds that it cuts are split, and the ranks
     * are found anew.
     *
     * @param forcedEfficiency greater for CPUs that compute more; -1 when unknown
     * @throws IllegalArgumentException when none of the CPUs is part of the machine
     */
    public TopologyEditor addCpuKind(CpuSet cpus, int forcedEfficiency, Map<String, String> infos) {
        CpuSet present = cpus.intersection(root.cpus);
        if (present.isEmpty() || forcedEfficiency < -1) {
            throw new IllegalArgumentException("a kind of the CPUs " + BitmapText.brief(cpus) + " with efficiency "
                    + forcedEfficiency + " cannot be");
        }
        infos.forEach((name, value) -> {
            text(name, "name");
            checked(value);
        });
        sections.addCpuKind(new CpuKind(-1, present, forcedEfficiency, infos));
        return this;
    }

    /**
     * Returns the draft of an object. It is not part of the API.
     *
     * @throws IllegalArgumentException when the object is of another topology
     */
    public ObjectDraft draft(TopologyObject object) {
        ObjectDraft draft = drafts.get(object);
        if (draft == null) {
            throw new IllegalArgumentException(object + " is not, or no longer, part of the machine");
        }
        return draft;
    }

    private static String text(String text, String what) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("the " + what + " is empty");
        }
        return checked(text);
    }

    /**
     * Returns a text that XML 1.0 can write: it has no way to write most control characters.
     *
     * @throws IllegalArgumentException when it has one of these
     */
    public static String checked(String text) {
        if (text.length() > LONGEST_TEXT || !text.codePoints().allMatch(TopologyEditor::canBeWritten)) {
            throw new IllegalArgumentException("\"" + Words.quote(text) + "\" is longer than " + LONGEST_TEXT
                    + " characters or has some that XML cannot hold");
        }
        return text;
    }

    private static boolean canBeWritten(int c) {
        return c == '\t'
                || c == '\n'
                || c == '\r'
                || (c >= ' ' && c < 0xd800)
                || (c >= 0xe000 && c != 0xfffe && c != 0xffff);
    }
}
