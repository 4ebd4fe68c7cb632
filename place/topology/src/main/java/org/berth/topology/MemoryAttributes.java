package org.berth.topology;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.topology.type.ObjectAttributes;

/** The properties of memory nodes that hwloc knows by name: two it counts in the tree, the others it may be told. It is not part of the API. */
public final class MemoryAttributes {
    private static final String CAPACITY = "Capacity";
    private static final String LOCALITY = "Locality";

    private static final Map<String, Long> PREDEFINED = Map.of(
            "Bandwidth", MemoryAttribute.HIGHER_FIRST | MemoryAttribute.NEED_INITIATOR,
            "ReadBandwidth", MemoryAttribute.HIGHER_FIRST | MemoryAttribute.NEED_INITIATOR,
            "WriteBandwidth", MemoryAttribute.HIGHER_FIRST | MemoryAttribute.NEED_INITIATOR,
            "Latency", MemoryAttribute.LOWER_FIRST | MemoryAttribute.NEED_INITIATOR,
            "ReadLatency", MemoryAttribute.LOWER_FIRST | MemoryAttribute.NEED_INITIATOR,
            "WriteLatency", MemoryAttribute.LOWER_FIRST | MemoryAttribute.NEED_INITIATOR);

    private MemoryAttributes() {}

    public static boolean isDerived(String name) {
        return name.equals(CAPACITY) || name.equals(LOCALITY);
    }

    /** Whether the flags are a possible answer to what is better and where from. */
    public static boolean areValid(long flags) {
        boolean one = (flags & MemoryAttribute.HIGHER_FIRST) != 0 ^ (flags & MemoryAttribute.LOWER_FIRST) != 0;
        return one
                && (flags
                                & ~(MemoryAttribute.HIGHER_FIRST
                                        | MemoryAttribute.LOWER_FIRST
                                        | MemoryAttribute.NEED_INITIATOR))
                        == 0;
    }

    /** The attribute of that name without values, when hwloc has it on every machine. */
    public static Optional<MemoryAttribute> predefined(String name) {
        return Optional.ofNullable(PREDEFINED.get(name)).map(flags -> new MemoryAttribute(name, flags, List.of()));
    }

    /** Bytes of each memory node, or the number of CPUs that it is local to. */
    static Optional<MemoryAttribute> derived(String name, List<TopologyObject> nodes) {
        if (!isDerived(name)) {
            return Optional.empty();
        }
        boolean capacity = name.equals(CAPACITY);
        List<MemoryAttribute.Value> values = nodes.stream()
                .map(node -> new MemoryAttribute.Value(
                        node,
                        CpuSet.empty(),
                        null,
                        capacity ? localMemoryBytes(node) : node.cpuSet().size()))
                .toList();
        return Optional.of(new MemoryAttribute(
                name, capacity ? MemoryAttribute.HIGHER_FIRST : MemoryAttribute.LOWER_FIRST, values));
    }

    private static long localMemoryBytes(TopologyObject node) {
        return node.attributes() instanceof ObjectAttributes.NumaNode own ? own.localMemoryBytes() : 0;
    }
}
