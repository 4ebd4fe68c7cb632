package org.berth.topology;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Skeleton: immutable snapshot of one machine. */
public final class Topology {
    private static UnsupportedOperationException todo() {
        return new UnsupportedOperationException("skeleton");
    }

    private Topology() {}

    public TopologyObject root() {
        throw todo();
    }

    /** Number of normal levels, machine and PUs included. */
    public int depth() {
        throw todo();
    }

    public List<TopologyObject> level(int depth) {
        throw todo();
    }

    /** All objects of a type in logical order (of all its levels); empty when there are none. */
    public List<TopologyObject> objects(ObjectType type) {
        throw todo();
    }

    public int count(ObjectType type) {
        throw todo();
    }

    public Optional<TopologyObject> pu(int osIndex) {
        throw todo();
    }

    public Optional<TopologyObject> numaNode(int osIndex) {
        throw todo();
    }

    /** CPUs of the machine that are in the tree. */
    public CpuSet cpuSet() {
        throw todo();
    }

    /** CPUs that this process may use. */
    public CpuSet allowedCpuSet() {
        throw todo();
    }

    public NodeSet nodeSet() {
        throw todo();
    }

    public NodeSet allowedNodeSet() {
        throw todo();
    }

    /** The same machine with a narrower allowed set (intersected with the present one). */
    public Topology withAllowed(CpuSet cpus, NodeSet nodes) {
        throw todo();
    }

    public Map<String, String> infos() {
        throw todo();
    }

    /** Nodes local to any of the CPUs (hwloc_cpuset_to_nodeset). */
    public NodeSet nodesNear(CpuSet cpus) {
        throw todo();
    }

    /** CPUs local to any of the nodes (hwloc_cpuset_from_nodeset). */
    public CpuSet cpusNear(NodeSet nodes) {
        throw todo();
    }

    /** Smallest normal object whose cpuset holds all of these. */
    public Optional<TopologyObject> covering(CpuSet cpus) {
        throw todo();
    }

    /** A device by OS name (eth0), PCI bus id (0000:00:03.0 or 00:03.0). */
    public Optional<TopologyObject> device(String nameOrBusId) {
        throw todo();
    }

    /** For a device: its nearest non-I/O ancestor's CPUs and nodes; for a normal object its own. */
    public DeviceLocality locality(TopologyObject device) {
        throw todo();
    }

    public List<Distances> distances() {
        throw todo();
    }

    public List<CpuKind> cpuKinds() {
        throw todo();
    }

    public List<MemoryAttribute> memoryAttributes() {
        throw todo();
    }
}
