package org.berth.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.topology.type.Info;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.jspecify.annotations.Nullable;

/**
 * One part of a machine: a package, a cache, a core, a memory node, a device ({@code hwloc_obj_t}). Immutable and
 * thread-safe; two objects are equal only when they are the same object.
 *
 * @since 0.1.0
 */
public final class TopologyObject {
    private final ObjectType type;
    private final int osIndex;
    private final int logicalIndex;
    private final int depth;
    private final long globalIndex;
    private final @Nullable String name;
    private final @Nullable String subtype;
    private final CpuSet cpuSet;
    private final CpuSet completeCpuSet;
    private final NodeSet nodeSet;
    private final NodeSet completeNodeSet;
    private final boolean nodesLocalToAll;
    private final ObjectAttributes attributes;
    private final List<Info> allInfos;
    private final Map<String, String> infos;
    private final @Nullable TopologyObject parent;
    private final List<TopologyObject> children;
    private final List<TopologyObject> memoryChildren;
    private final List<TopologyObject> ioChildren;
    private final List<TopologyObject> miscChildren;
    private final long totalMemoryBytes;

    /** Builds the whole tree below as well; the reader limits how deep that is. */
    @SuppressWarnings(
            "ThisEscapedInObjectConstruction") // children name their parent; no other code sees the tree before the
    // root is
    // built
    TopologyObject(ObjectDraft draft, @Nullable TopologyObject parent) {
        this.type = draft.type;
        this.osIndex = draft.osIndex;
        this.logicalIndex = draft.logicalIndex;
        this.depth = draft.depth;
        this.globalIndex = draft.globalIndex;
        this.name = draft.name;
        this.subtype = draft.subtype;
        this.cpuSet = draft.cpus;
        // One object for both in the common case: sets are most of the memory that a topology takes.
        this.completeCpuSet = draft.completeCpus.equals(cpuSet) ? cpuSet : draft.completeCpus;
        this.nodeSet = draft.nodes;
        this.completeNodeSet = draft.completeNodes.equals(nodeSet) ? nodeSet : draft.completeNodes;
        this.nodesLocalToAll = draft.nodesLocalToAll;
        this.attributes = draft.attributes;
        this.allInfos = draft.infos.list();
        this.infos = byName(allInfos);
        this.parent = parent;
        this.children = build(draft.children);
        this.memoryChildren = build(draft.memoryChildren);
        this.ioChildren = build(draft.ioChildren);
        this.miscChildren = build(draft.miscChildren);
        this.totalMemoryBytes = sumMemory();
        draft.built = this;
    }

    private static Map<String, String> byName(List<Info> infos) {
        if (infos.isEmpty()) {
            return Map.of();
        }
        Map<String, String> first = new LinkedHashMap<>();
        for (Info info : infos) {
            first.putIfAbsent(info.name(), info.value());
        }
        return Collections.unmodifiableMap(first);
    }

    private List<TopologyObject> build(List<ObjectDraft> drafts) {
        if (drafts.isEmpty()) {
            return List.of();
        }
        List<TopologyObject> objects = new ArrayList<>(drafts.size());
        for (ObjectDraft draft : drafts) {
            objects.add(new TopologyObject(draft, this));
        }
        return List.copyOf(objects);
    }

    private long sumMemory() {
        long sum = attributes instanceof ObjectAttributes.NumaNode node ? node.localMemoryBytes() : 0;
        for (TopologyObject child : memoryChildren) {
            sum = saturatedSum(sum, child.totalMemoryBytes);
        }
        for (TopologyObject child : children) {
            sum = saturatedSum(sum, child.totalMemoryBytes);
        }
        return sum;
    }

    static long saturatedSum(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** Its type ({@code hwloc_obj_t.type}). */
    public ObjectType type() {
        return type;
    }

    /** The kernel's number (P#), or -1 when it has none. Unique only among PUs and among memory nodes. */
    public int osIndex() {
        return osIndex;
    }

    /** Rank among the objects of the same level (L#), in the order of the tree. */
    public int logicalIndex() {
        return logicalIndex;
    }

    /** Index of its level for {@link Topology#level}; -1 for memory, I/O and misc objects, which have none. */
    public int depth() {
        return depth;
    }

    /** hwloc's own number of the object ({@code gp_index}), unique in its file; 0 when the file has none. */
    public long globalIndex() {
        return globalIndex;
    }

    /** A name where there is one: "eth0", "nvme0n1". */
    public Optional<String> name() {
        return Optional.ofNullable(name);
    }

    /** A closer description of the type: "Cluster" of a group, "HBM" of a node, "Disk" of a device. */
    public Optional<String> subtype() {
        return Optional.ofNullable(subtype);
    }

    /** Its CPUs; for memory the CPUs it is local to; empty for I/O and misc objects: see {@link Topology#locality}. */
    public CpuSet cpuSet() {
        return cpuSet;
    }

    /** {@link #cpuSet} with the CPUs that are known but offline or left out ({@code complete_cpuset} of hwloc). */
    public CpuSet completeCpuSet() {
        return completeCpuSet;
    }

    /** The memory nodes in it or local to it; empty for I/O and misc objects: see {@link Topology#locality}. */
    public NodeSet nodeSet() {
        return nodeSet;
    }

    /** {@link #nodeSet} with the nodes that are known but left out ({@code complete_nodeset} of hwloc). */
    public NodeSet completeNodeSet() {
        return completeNodeSet;
    }

    /** Bytes of all memory nodes below this object, itself included; at most {@link Long#MAX_VALUE}. */
    public long totalMemoryBytes() {
        return totalMemoryBytes;
    }

    /**
     * Attributes of its kind of object only: the size of a cache, the bus id of a device ({@code hwloc_obj_attr_u}).
     */
    public ObjectAttributes attributes() {
        return attributes;
    }

    /**
     * The infos of the object by name, such as CPUModel of a package, in the order of the file; the first one of each
     * name ({@code hwloc_obj_get_info_by_name}).
     */
    public Map<String, String> infos() {
        return infos;
    }

    /**
     * All infos in the order of the file, also several of one name, such as Backend of the machine; the map
     * {@link #infos} has the first of each ({@code hwloc_obj_get_info_by_name}).
     */
    public List<Info> allInfos() {
        return allInfos;
    }

    /** The parent; empty only for the machine. */
    public Optional<TopologyObject> parent() {
        return Optional.ofNullable(parent);
    }

    /** Normal children (packages, caches, cores, PUs, groups), smallest CPU first. */
    public List<TopologyObject> children() {
        return children;
    }

    /** NUMA nodes and memory-side caches. */
    public List<TopologyObject> memoryChildren() {
        return memoryChildren;
    }

    /** Bridges, PCI and OS devices. */
    public List<TopologyObject> ioChildren() {
        return ioChildren;
    }

    /** Objects that a tool has added here, such as memory modules. */
    public List<TopologyObject> miscChildren() {
        return miscChildren;
    }

    /** Children of every sort: memory, normal, I/O, misc, as hwloc's XML has them ({@code hwloc_get_next_child}). */
    public List<TopologyObject> allChildren() {
        if (memoryChildren.isEmpty() && ioChildren.isEmpty() && miscChildren.isEmpty()) {
            return children;
        }
        return Stream.of(memoryChildren, children, ioChildren, miscChildren)
                .flatMap(List::stream)
                .toList();
    }

    /** Nearest ancestor of that type ({@code hwloc_get_ancestor_obj_by_type}). */
    public Optional<TopologyObject> ancestor(ObjectType wanted) {
        TopologyObject object = parent;
        while (object != null && object.type != wanted) {
            object = object.parent;
        }
        return Optional.ofNullable(object);
    }

    /** The ancestor at that depth ({@code hwloc_get_ancestor_obj_by_depth}), if the object is below it. */
    public Optional<TopologyObject> ancestor(int wantedDepth) {
        TopologyObject object = parent;
        while (object != null && object.depth != wantedDepth) {
            object = object.parent;
        }
        return Optional.ofNullable(object);
    }

    /** The objects around this one, the parent first and the machine last; empty for the machine. */
    public List<TopologyObject> ancestors() {
        List<TopologyObject> ancestors = new ArrayList<>();
        for (TopologyObject object = parent; object != null; object = object.parent) {
            ancestors.add(object);
        }
        return List.copyOf(ancestors);
    }

    /** The normal child that has all of these CPUs ({@code hwloc_get_child_covering_cpuset}); empty for no CPU. */
    public Optional<TopologyObject> childCovering(CpuSet cpus) {
        return cpus.isEmpty()
                ? Optional.empty()
                : children.stream()
                        .filter(child -> child.cpuSet.containsAll(cpus))
                        .findFirst();
    }

    /** Whether the object is {@code ancestor} or below it ({@code hwloc_obj_is_in_subtree}). */
    public boolean isWithin(TopologyObject ancestor) {
        TopologyObject object = this;
        while (object != null && object != ancestor) {
            object = object.parent;
        }
        return object != null;
    }

    /**
     * Nearest object that holds both, possibly one of the two ({@code hwloc_get_common_ancestor_obj}).
     *
     * @throws IllegalArgumentException when the two are of different topologies
     */
    public TopologyObject commonAncestor(TopologyObject other) {
        TopologyObject object = this;
        while (!other.isWithin(object)) {
            if (object.parent == null) {
                throw new IllegalArgumentException(this + " and " + other + " are of different topologies");
            }
            object = object.parent;
        }
        return object;
    }

    /**
     * Nearest data or unified cache that it shares with other CPUs ({@code hwloc_get_shared_cache_covering_obj}); empty
     * for I/O and misc objects, which have no CPUs.
     */
    public Optional<TopologyObject> sharedCache() {
        boolean placed = type.isNormal() || type.isMemory();
        TopologyObject object = placed ? parent : null;
        while (object != null && (!object.type.isDataCache() || object.cpuSet.equals(cpuSet))) {
            object = object.parent;
        }
        return Optional.ofNullable(object);
    }

    /**
     * What it is, short, as lstopo writes it before the number: "Core", "L1d", "Group0", "HostBridge", "Net"
     * ({@code hwloc_obj_type_snprintf}).
     */
    public String typeName() {
        return ObjectText.typeName(this);
    }

    /**
     * Its attributes and infos in one line, as {@code lstopo -v} writes them: "size=32KB linesize=64 ways=8"
     * ({@code hwloc_obj_attr_snprintf}); "" when it has none.
     */
    public String attributesText() {
        return AttributesText.of(this);
    }

    /** Returns the parent, or null for the root. */
    @Nullable
    public TopologyObject parentOrNull() {
        return parent;
    }

    /**
     * Whether each memory node of {@link #nodeSet} is local to each of its CPUs: then parts of it are not to be told
     * apart.
     */
    boolean nodesLocalToAll() {
        return nodesLocalToAll;
    }

    /** Its name in the form of lstopo: "Core L#3 (P#5)", "L1d L#0", "PCI 00:03.0 (Ethernet)". */
    @Override
    public String toString() {
        return ObjectText.of(this);
    }
}
