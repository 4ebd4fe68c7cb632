package org.berth.topology;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Skeleton: one node of the tree. */
public final class TopologyObject {
    private static UnsupportedOperationException todo() {
        return new UnsupportedOperationException("skeleton");
    }

    private TopologyObject() {}

    public ObjectType type() {
        throw todo();
    }

    /** The kernel's number (P#), or -1 when it has none. */
    public int osIndex() {
        throw todo();
    }

    /** Rank among objects of the same type and level (L#). */
    public int logicalIndex() {
        throw todo();
    }

    public Optional<String> name() {
        throw todo();
    }

    public Optional<String> subtype() {
        throw todo();
    }

    public CpuSet cpuSet() {
        throw todo();
    }

    public NodeSet nodeSet() {
        throw todo();
    }

    /** Bytes of memory below this object. */
    public long totalMemoryBytes() {
        throw todo();
    }

    public ObjectAttributes attributes() {
        throw todo();
    }

    public Map<String, String> infos() {
        throw todo();
    }

    public Optional<TopologyObject> parent() {
        throw todo();
    }

    /** Normal children (packages, caches, cores, PUs, groups). */
    public List<TopologyObject> children() {
        throw todo();
    }

    /** NUMA nodes and memory-side caches. */
    public List<TopologyObject> memoryChildren() {
        throw todo();
    }

    /** Bridges, PCI and OS devices. */
    public List<TopologyObject> ioChildren() {
        throw todo();
    }

    public List<TopologyObject> miscChildren() {
        throw todo();
    }

    /** Nearest ancestor of that type. */
    public Optional<TopologyObject> ancestor(ObjectType type) {
        throw todo();
    }

    /** "Core L#3 (P#5)" as lstopo writes it. */
    @Override
    public String toString() {
        throw todo();
    }
}
