package org.berth.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one machine is: an immutable snapshot that any thread may read. {@link TopologyXml} reads one from a file.
 *
 * <p>Objects have two numbers. The logical index (L#) counts the objects of a level in the order of the tree and is the
 * one to compute with; the OS index (P#) is the kernel's, is arbitrary, and is what {@link CpuSet} and {@link NodeSet}
 * hold. Objects that this process may not use can be part of the tree: {@link #allowedCpuSet} says which it may.
 */
public final class Topology {
    private final TopologyTree tree;
    private final CpuSet allowedCpus;
    private final NodeSet allowedNodes;
    private final Map<String, String> infos;
    private final List<Distances> distances;
    private final List<CpuKind> cpuKinds;
    private final List<MemoryAttribute> memoryAttributes;

    Topology(
            TopologyTree tree,
            CpuSet allowedCpus,
            NodeSet allowedNodes,
            Map<String, String> infos,
            List<Distances> distances,
            List<CpuKind> cpuKinds,
            List<MemoryAttribute> memoryAttributes) {
        this.tree = tree;
        this.allowedCpus = allowedCpus;
        this.allowedNodes = allowedNodes;
        this.infos = Collections.unmodifiableMap(new LinkedHashMap<>(infos));
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

    /** The objects of one normal level, 0 being the machine; IndexOutOfBoundsException outside of the depth. */
    public List<TopologyObject> level(int depth) {
        return tree.levels.get(depth);
    }

    /** All objects of a type in logical order, level after level; empty when there are none. */
    public List<TopologyObject> objects(ObjectType type) {
        return tree.objects(type);
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

    /** CPUs that this process may use ({@code hwloc_topology_get_allowed_cpuset}). */
    public CpuSet allowedCpuSet() {
        return allowedCpus;
    }

    /** Memory nodes of the machine that are in the tree ({@code hwloc_topology_get_topology_nodeset}). */
    public NodeSet nodeSet() {
        return tree.root.nodeSet();
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
                infos,
                distances,
                cpuKinds,
                memoryAttributes);
    }

    /** What hwloc says of the whole machine, such as HostName and OSRelease, in the order of the file. */
    public Map<String, String> infos() {
        return infos;
    }

    /** Memory nodes local to any of the CPUs ({@code hwloc_cpuset_to_nodeset}). */
    public NodeSet nodesNear(CpuSet cpus) {
        NodeSet nodes = NodeSet.empty();
        for (TopologyObject node : objects(ObjectType.NUMA_NODE)) {
            if (node.cpuSet().intersects(cpus)) {
                nodes = nodes.with(node.osIndex());
            }
        }
        return nodes;
    }

    /** CPUs local to any of the memory nodes ({@code hwloc_cpuset_from_nodeset}). */
    public CpuSet cpusNear(NodeSet nodes) {
        CpuSet cpus = CpuSet.empty();
        for (TopologyObject node : objects(ObjectType.NUMA_NODE)) {
            if (nodes.contains(node.osIndex())) {
                cpus = cpus.union(node.cpuSet());
            }
        }
        return cpus;
    }

    /**
     * Smallest normal object whose CPUs hold all of these ({@code hwloc_get_obj_covering_cpuset}); empty when there are
     * none or some are not in the tree.
     */
    public Optional<TopologyObject> covering(CpuSet cpus) {
        return Optional.ofNullable(tree.covering(cpus));
    }

    /** All PCI and OS devices, in logical order. */
    public List<TopologyObject> devices() {
        List<TopologyObject> devices = new ArrayList<>(objects(ObjectType.PCI_DEVICE));
        devices.addAll(objects(ObjectType.OS_DEVICE));
        return List.copyOf(devices);
    }

    /** A device by its OS name ("eth0") or PCI bus id ("0000:00:03.0", "00:03.0" in domain 0). */
    public Optional<TopologyObject> device(String nameOrBusId) {
        return Optional.ofNullable(tree.device(nameOrBusId));
    }

    /**
     * Where a device hangs: its nearest ancestor that has CPUs ({@code hwloc_get_non_io_ancestor_obj}); for an object
     * that has CPUs itself, the object. A locality of the whole machine means that nothing nearer is known.
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

    /** Kinds of CPUs, those of least efficiency rank first; empty when the machine does not say ({@code hwloc_cpukinds_get_info}). */
    public List<CpuKind> cpuKinds() {
        return cpuKinds;
    }

    /** Bandwidths, latencies and others of the memory nodes ({@code hwloc_memattr_get_by_name}). */
    public List<MemoryAttribute> memoryAttributes() {
        return memoryAttributes;
    }

    /** One line: "2 packages, 16 cores, 32 PUs, 2 NUMA nodes". */
    @Override
    public String toString() {
        return count(ObjectType.PACKAGE) + " packages, " + count(ObjectType.CORE) + " cores, " + count(ObjectType.PU)
                + " PUs, " + count(ObjectType.NUMA_NODE) + " NUMA nodes";
    }
}
