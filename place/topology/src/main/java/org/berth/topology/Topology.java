package org.berth.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.berth.text.Words;
import org.berth.topology.internal.bits.BitmapText;
import org.berth.topology.type.NodeLocality;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;

/**
 * One machine: an immutable snapshot that any thread may read. {@link TopologyXml} reads one from a file.
 *
 * <p>Objects have two numbers. The logical index (L#) counts the objects of a level in the order of the tree and is the
 * one to compute with; the OS index (P#) is the kernel's, is arbitrary, and is what {@link CpuSet} and {@link NodeSet}
 * hold. Objects that this process may not use can be part of the tree: {@link #allowedCpuSet} says which it may.
 *
 * @since 0.1.0
 */
// Long for a class of this house: users look for every question to a machine here. The answers are in other classes.
public final class Topology {
    private final TopologyTree tree;
    private final CpuSet allowedCpus;
    private final NodeSet allowedNodes;
    private final List<Distances> distances;
    private final List<CpuKind> cpuKinds;
    private final List<MemoryAttribute> memoryAttributes;

    /** Makes a topology of checked parts. It is not part of the API. */
    public Topology(
            TopologyTree tree,
            CpuSet allowedCpus,
            NodeSet allowedNodes,
            List<Distances> distances,
            List<CpuKind> cpuKinds,
            List<MemoryAttribute> memoryAttributes) {
        this.tree = tree;
        this.allowedCpus = allowedCpus;
        this.allowedNodes = allowedNodes;
        this.distances = distances;
        this.cpuKinds = cpuKinds;
        this.memoryAttributes = memoryAttributes;
    }

    /** The machine itself ({@code hwloc_get_root_obj}). */
    public TopologyObject root() {
        return tree.root;
    }

    /** Number of normal levels, machine and PUs included ({@code hwloc_topology_get_depth}). */
    public int depth() {
        return tree.levels.size();
    }

    /**
     * The objects of one normal level in logical order, 0 being the machine ({@code hwloc_get_nbobjs_by_depth},
     * {@code hwloc_get_obj_by_depth}, {@code hwloc_get_next_obj_by_depth}).
     *
     * @throws IndexOutOfBoundsException outside the depth
     */
    public List<TopologyObject> level(int depth) {
        return tree.levels.get(depth);
    }

    /**
     * The type of the objects of a level ({@code hwloc_get_depth_type}).
     *
     * @throws IndexOutOfBoundsException outside the depth
     */
    public ObjectType levelType(int depth) {
        return level(depth).get(0).type();
    }

    /**
     * The depths at which a type is: none when the machine has no such object or it is not part of the tree of CPUs,
     * several for groups ({@code hwloc_get_type_depth}).
     */
    public List<Integer> depths(ObjectType type) {
        return Levels.depths(this, type);
    }

    /**
     * The depth of a type, or of the first one that is usually inside it ({@code hwloc_get_type_or_below_depth}).
     *
     * @throws IllegalArgumentException for memory, I/O and misc types
     */
    public int depthOrBelow(ObjectType type) {
        return Levels.depthOrBelow(this, type);
    }

    /**
     * The depth of a type, or of the last one that is usually around it ({@code hwloc_get_type_or_above_depth}).
     *
     * @throws IllegalArgumentException for memory, I/O and misc types
     */
    public int depthOrAbove(ObjectType type) {
        return Levels.depthOrAbove(this, type);
    }

    /**
     * The depth of the level of caches of that number, L1 being 1 ({@code hwloc_get_cache_type_depth}); a unified cache
     * holds data and instructions.
     */
    public OptionalInt cacheDepth(int cacheLevel, ObjectAttributes.CacheKind kind) {
        return Levels.cacheDepth(this, cacheLevel, kind);
    }

    /**
     * The depth of the objects that have the memory, when all are of one level ({@code
     * hwloc_get_memory_parents_depth}).
     */
    public OptionalInt memoryParentsDepth() {
        return Levels.memoryParentsDepth(this);
    }

    /**
     * All objects of a type in logical order, level after level; empty when there are none
     * ({@code hwloc_get_next_obj_by_type}, {@code hwloc_get_next_pcidev}, {@code hwloc_get_next_osdev},
     * {@code hwloc_get_next_bridge}).
     */
    public List<TopologyObject> objects(ObjectType type) {
        return tree.objects(type);
    }

    /**
     * The objects that a name such as "core", "L1i", "Group1", "Net" or "HostBridge" stands for, in logical order
     * ({@code hwloc_type_sscanf_as_depth}): those of one type, of one level of groups, devices of one kind.
     *
     * @throws IllegalArgumentException when nothing is called so
     */
    public List<TopologyObject> objects(String typeName) {
        return Levels.named(this, typeName);
    }

    /** Number of objects of a type ({@code hwloc_get_nbobjs_by_type}). */
    public int count(ObjectType type) {
        return tree.objects(type).size();
    }

    /** The object of a type at a position of {@link #objects}, or empty ({@code hwloc_get_obj_by_type}). */
    public Optional<TopologyObject> object(ObjectType type, int logicalIndex) {
        List<TopologyObject> objects = tree.objects(type);
        return logicalIndex >= 0 && logicalIndex < objects.size()
                ? Optional.of(objects.get(logicalIndex))
                : Optional.empty();
    }

    /** The PU that the kernel calls by that number ({@code hwloc_get_pu_obj_by_os_index}). */
    public Optional<TopologyObject> pu(int osIndex) {
        return Optional.ofNullable(tree.pu(osIndex));
    }

    /** The memory node that the kernel calls by that number ({@code hwloc_get_numanode_obj_by_os_index}). */
    public Optional<TopologyObject> numaNode(int osIndex) {
        return Optional.ofNullable(tree.numaNode(osIndex));
    }

    /** CPUs of the machine that are in the tree ({@code hwloc_topology_get_topology_cpuset}). */
    public CpuSet cpuSet() {
        return tree.root.cpuSet();
    }

    /** {@link #cpuSet} with the CPUs that are offline or left out ({@code hwloc_topology_get_complete_cpuset}). */
    public CpuSet completeCpuSet() {
        return tree.root.completeCpuSet();
    }

    /** CPUs that this process may use ({@code hwloc_topology_get_allowed_cpuset}). */
    public CpuSet allowedCpuSet() {
        return allowedCpus;
    }

    /** Memory nodes of the machine that are in the tree ({@code hwloc_topology_get_topology_nodeset}). */
    public NodeSet nodeSet() {
        return tree.root.nodeSet();
    }

    /** {@link #nodeSet} with the nodes that are left out ({@code hwloc_topology_get_complete_nodeset}). */
    public NodeSet completeNodeSet() {
        return tree.root.completeNodeSet();
    }

    /** Memory nodes that this process may use ({@code hwloc_topology_get_allowed_nodeset}). */
    public NodeSet allowedNodeSet() {
        return allowedNodes;
    }

    /** The same machine with a narrower allowed set: the given ones intersected with the present ones. */
    public Topology withAllowed(CpuSet cpus, NodeSet nodes) {
        return new Topology(
                tree,
                allowedCpus.intersection(cpus),
                allowedNodes.intersection(nodes),
                distances,
                cpuKinds,
                memoryAttributes);
    }

    /**
     * hwloc's infos of the whole machine, such as HostName and OSRelease, in the order of the file; the first one of
     * each name ({@link TopologyObject#allInfos} of the root has the others).
     */
    public Map<String, String> infos() {
        return tree.root.infos();
    }

    /**
     * Memory nodes local to any of the CPUs ({@code hwloc_cpuset_to_nodeset}), also those without CPUs of their own,
     * such as CXL memory, which hwloc gives the CPUs of its nearest neighbours.
     */
    public NodeSet nodesNear(CpuSet cpus) {
        return Traversal.nodesNear(tree, cpus);
    }

    /**
     * The memory nodes that these CPUs belong to: where the kernel takes their memory from first, and where berth puts
     * it unless a
     * tier or node is named. Each CPU has one at most. Nodes without CPUs (CXL, HBM, the memory of GPUs) are among them
     * only for CPUs whose own node has no memory.
     *
     * <p>Of several nodes that hwloc calls local to a CPU, it is the one with the fewest CPUs; of equal ones the one of
     * kind DRAM, then
     * the lowest number: a node without CPUs has at least those of a neighbour, and is numbered after it (compare
     * {@code hwloc_topology_get_default_nodeset} of hwloc 2.12). On the machines of the tests that is what
     * nodeN/cpulist of sysfs says, which {@code berth-exec} and the agent read.
     */
    public NodeSet nodesOf(CpuSet cpus) {
        return Traversal.nodesOf(tree, cpus);
    }

    /** CPUs local to any of the memory nodes ({@code hwloc_cpuset_from_nodeset}). */
    public CpuSet cpusNear(NodeSet nodes) {
        return Traversal.cpusNear(tree, nodes);
    }

    /**
     * Smallest normal object whose CPUs hold all of these ({@code hwloc_get_obj_covering_cpuset}); empty when there are
     * none or some are not in the tree.
     */
    public Optional<TopologyObject> covering(CpuSet cpus) {
        return Optional.ofNullable(tree.covering(cpus));
    }

    /** Smallest data or unified CPU cache whose CPUs hold all of these ({@code hwloc_get_cache_covering_cpuset}). */
    public Optional<TopologyObject> coveringCache(CpuSet cpus) {
        TopologyObject object = tree.covering(cpus);
        while (object != null && !object.type().isDataCache()) {
            object = object.parentOrNull();
        }
        return Optional.ofNullable(object);
    }

    /**
     * Objects of a type all of whose CPUs are among these ({@code hwloc_get_next_obj_inside_cpuset_by_type},
     * {@code hwloc_get_obj_inside_cpuset_by_type}, {@code hwloc_get_nbobjs_inside_cpuset_by_type}); their place in the
     * list is {@code hwloc_get_obj_index_inside_cpuset}.
     */
    public List<TopologyObject> objectsInside(CpuSet cpus, ObjectType type) {
        return Traversal.inside(tree.objects(type), cpus);
    }

    /**
     * Objects of a level all of whose CPUs are among these ({@code hwloc_get_next_obj_inside_cpuset_by_depth},
     * {@code hwloc_get_obj_inside_cpuset_by_depth}, {@code hwloc_get_nbobjs_inside_cpuset_by_depth}).
     *
     * @throws IndexOutOfBoundsException outside the depth
     */
    public List<TopologyObject> objectsInside(CpuSet cpus, int depth) {
        return Traversal.inside(level(depth), cpus);
    }

    /** Objects of a type with some CPU among these ({@code hwloc_get_next_obj_covering_cpuset_by_type}). */
    public List<TopologyObject> objectsIntersecting(CpuSet cpus, ObjectType type) {
        return Traversal.intersecting(tree.objects(type), cpus);
    }

    /**
     * Objects of a level with some CPU among these ({@code hwloc_get_next_obj_covering_cpuset_by_depth}).
     *
     * @throws IndexOutOfBoundsException outside the depth
     */
    public List<TopologyObject> objectsIntersecting(CpuSet cpus, int depth) {
        return Traversal.intersecting(level(depth), cpus);
    }

    /**
     * Objects of a type in the CPUs of another object: the second core of the first package is
     * {@code below(package, CORE).get(1)} ({@code hwloc_get_obj_below_by_type}; from step to step
     * {@code hwloc_get_obj_below_array_by_type}).
     */
    public List<TopologyObject> below(TopologyObject object, ObjectType type) {
        return objectsInside(object.cpuSet(), type);
    }

    /**
     * Objects of a type at the same place as another: with its CPUs and memory nodes, or for devices on the same PCI
     * device ({@code hwloc_get_obj_with_same_locality}).
     */
    public List<TopologyObject> withSameLocality(TopologyObject object, ObjectType type) {
        return Traversal.withSameLocality(this, object, type);
    }

    /**
     * Memory nodes that are local to exactly these CPUs, and with options to more or fewer ({@code
     * hwloc_get_local_numanode_objs}).
     */
    public List<TopologyObject> localNumaNodes(CpuSet cpus, NodeLocality... also) {
        return Traversal.localNumaNodes(this, cpus, Set.of(also));
    }

    /**
     * The fewest normal objects that together are the CPUs ({@code hwloc_get_largest_objs_inside_cpuset},
     * {@code hwloc_get_first_largest_obj_inside_cpuset}).
     */
    public List<TopologyObject> largestObjectsInside(CpuSet cpus) {
        List<TopologyObject> found = new ArrayList<>();
        Traversal.addLargestInside(tree.root, cpus, found);
        return List.copyOf(found);
    }

    /**
     * The other objects of the same level, those that share the smallest ancestor first
     * ({@code hwloc_get_closest_objs}).
     *
     * @throws IllegalArgumentException for memory, I/O and misc objects
     */
    public List<TopologyObject> closest(TopologyObject object) {
        return Traversal.closest(this, object);
    }

    /**
     * The cores of which something is allowed, in logical order, each with its allowed PUs: what threads can be bound
     * to. Where cores are not known, each allowed PU.
     */
    public List<CpuSet> allowedCores() {
        return Traversal.allowedCores(this);
    }

    /**
     * Keeps one PU of each core: the one of that rank (0 is the first) among those of the set. Cores with fewer PUs
     * vanish, PUs outside any core stay ({@code hwloc_bitmap_singlify_per_core}).
     *
     * @throws IllegalArgumentException when the rank is negative
     */
    public CpuSet onePuPerCore(CpuSet cpus, int rank) {
        if (rank < 0) {
            throw new IllegalArgumentException("rank " + rank + " is negative");
        }
        return Traversal.onePuPerCore(this, cpus, rank);
    }

    /**
     * Divides CPUs into parts that keep to packages, caches and cores: neighbouring parts are near each other, each
     * part
     * is one object where the count allows it, and every CPU of the tree is in some part. With more parts than PUs,
     * some parts are equal. The shares are in proportion to the CPUs below each object and rounded up, so when they do
     * not come out even the last parts are the larger ones ({@code hwloc_distrib}). For the threads of a pool take a placement policy
     * instead, which also finds memory nodes and says why.
     *
     * @throws IllegalArgumentException when the count is not between 1 and 1,048,576, or there is no CPU to divide
     */
    public List<CpuSet> distribute(CpuSet cpus, int count) {
        if (!Distribution.isCount(count) || !cpus.intersects(cpuSet())) {
            throw new IllegalArgumentException(
                    "cannot divide the CPUs \"" + BitmapText.brief(cpus) + "\" into " + count + " parts");
        }
        return Distribution.of(List.of(tree.root), cpus, count, Integer.MAX_VALUE, false);
    }

    /**
     * Does the same as {@link #distribute(CpuSet, int)} over some objects instead of the machine, and not into objects
     * below a depth ({@code hwloc_distrib} with its roots, until and HWLOC_DISTRIB_FLAG_REVERSE).
     *
     * @param roots packages, nodes or whatever shall be divided, in this order
     * @param untilDepth objects of this depth are not divided: their parts are equal
     * @param reversed from the last objects to the first
     * @throws IllegalArgumentException when the count is not between 1 and 1,048,576, or the roots have no CPU
     */
    public List<CpuSet> distribute(List<TopologyObject> roots, int count, int untilDepth, boolean reversed) {
        if (!Distribution.isCount(count)
                || roots.stream().allMatch(root -> root.cpuSet().isEmpty())) {
            throw new IllegalArgumentException(
                    "cannot divide the CPUs of " + Words.quote(roots.toString()) + " into " + count + " parts");
        }
        return Distribution.of(roots, cpuSet(), count, untilDepth, reversed);
    }

    /** All PCI and OS devices, in logical order. */
    public List<TopologyObject> devices() {
        List<TopologyObject> devices = new ArrayList<>(objects(ObjectType.PCI_DEVICE));
        devices.addAll(objects(ObjectType.OS_DEVICE));
        return List.copyOf(devices);
    }

    /**
     * A device by its OS name ("eth0"), PCI bus id ("0000:00:03.0", "00:03.0" in domain 0) or path ("/dev/nvme0n1p2",
     * "/sys/class/net/eth0"; links are not followed) ({@code hwloc_get_pcidev_by_busidstring}).
     */
    public Optional<TopologyObject> device(String nameBusIdOrPath) {
        return Optional.ofNullable(tree.device(nameBusIdOrPath));
    }

    /** The PCI device at a place of the bus ({@code hwloc_get_pcidev_by_busid}). */
    public Optional<TopologyObject> pciDevice(int domain, int bus, int device, int function) {
        String busId = String.format(Locale.ROOT, "%04x:%02x:%02x.%x", domain, bus, device, function);
        return device(busId).filter(found -> found.type() == ObjectType.PCI_DEVICE);
    }

    /**
     * Finds the attachment point of a device: the nearest ancestor that has CPUs ({@code
     * hwloc_get_non_io_ancestor_obj}); for an object that has CPUs itself, the object. A locality of the whole machine
     * means that nothing nearer is known.
     */
    public DeviceLocality locality(TopologyObject device) {
        TopologyObject near = device;
        for (TopologyObject up = device; up != null; up = up.parentOrNull()) {
            near = up;
            if (up.type().isNormal() || up.type().isMemory()) {
                break;
            }
        }
        return new DeviceLocality(device, near, near.cpuSet(), near.nodeSet());
    }

    /** Matrices such as the NUMA latencies of the firmware ({@code hwloc_distances_get}). */
    public List<Distances> distances() {
        return distances;
    }

    /** The first matrix of that name, such as "NUMALatency" ({@code hwloc_distances_get_by_name}). */
    public Optional<Distances> distances(String name) {
        return distances.stream().filter(matrix -> matrix.name().equals(name)).findFirst();
    }

    /** The matrices over objects of that type alone ({@code hwloc_distances_get_by_type}). */
    public List<Distances> distances(ObjectType type) {
        return distances.stream().filter(matrix -> matrix.isOf(type)).toList();
    }

    /** The matrices over objects of one level alone ({@code hwloc_distances_get_by_depth}). */
    public List<Distances> distances(int depth) {
        return distances.stream()
                .filter(matrix -> matrix.objects().stream().allMatch(object -> object.depth() == depth))
                .toList();
    }

    /**
     * Kinds of CPUs, those of least efficiency rank first; empty when the machine does not say
     * ({@code hwloc_cpukinds_get_nr}, {@code hwloc_cpukinds_get_info}).
     */
    public List<CpuKind> cpuKinds() {
        return cpuKinds;
    }

    /** The kinds that some of the CPUs are of; one when they are all alike ({@code hwloc_cpukinds_get_by_cpuset}). */
    public List<CpuKind> cpuKinds(CpuSet cpus) {
        return cpuKinds.stream().filter(kind -> kind.cpus().intersects(cpus)).toList();
    }

    /** The kind of the CPU that the kernel calls by that number ({@code hwloc_cpukinds_get_by_cpuset}). */
    public Optional<CpuKind> cpuKind(int osIndex) {
        return cpuKinds.stream().filter(kind -> kind.cpus().contains(osIndex)).findFirst();
    }

    /**
     * Bandwidths, latencies and other attributes of memory nodes that the machine reports; without those that follow
     * from the tree.
     */
    public List<MemoryAttribute> memoryAttributes() {
        return memoryAttributes;
    }

    /**
     * The attribute of that name ({@code hwloc_memattr_get_by_name}): "Capacity" and "Locality", which every machine
     * has, or one of {@link #memoryAttributes}, such as "Bandwidth".
     */
    public Optional<MemoryAttribute> memoryAttribute(String name) {
        return memoryAttributes.stream()
                .filter(attribute -> attribute.name().equals(name))
                .findFirst()
                .or(() -> MemoryAttributes.derived(name, objects(ObjectType.NUMA_NODE)));
    }

    TopologyTree tree() {
        return tree;
    }

    /**
     * The memory nodes by technology, the fastest first as far as the machine reports it; one tier on most machines
     * (from hwloc 2.10 on {@code hwloc_memtiers_get_info} tells much the same). */
    public List<MemoryTier> memoryTiers() {
        return MemoryTiers.of(this);
    }

    /** Calls an action with each object of the tree. */
    public void forEachObject(Consumer<TopologyObject> action) {
        tree.forEach(action);
    }

    /** The whole tree as indented text, one object per line: for logs and reports. */
    public String describe() {
        return ObjectText.ofTree(tree.root);
    }

    /** One line: "2 packages, 16 cores, 32 PUs, 2 NUMA nodes". */
    @Override
    public String toString() {
        return count(ObjectType.PACKAGE) + " packages, " + count(ObjectType.CORE) + " cores, " + count(ObjectType.PU)
                + " PUs, " + count(ObjectType.NUMA_NODE) + " NUMA nodes";
    }
}
