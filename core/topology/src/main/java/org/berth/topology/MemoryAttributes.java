package org.berth.topology;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The properties of memory nodes that hwloc knows by name: two it counts in the tree, the others it may be told. */
final class MemoryAttributes {
    private static final String CAPACITY = "Capacity";
    private static final String LOCALITY = "Locality";

    private static final long HIGHER_FIRST = 1;
    private static final long LOWER_FIRST = 2;
    private static final long NEED_INITIATOR = 4;

    private static final Map<String, Long> PREDEFINED = Map.of(
            "Bandwidth", HIGHER_FIRST | NEED_INITIATOR,
            "ReadBandwidth", HIGHER_FIRST | NEED_INITIATOR,
            "WriteBandwidth", HIGHER_FIRST | NEED_INITIATOR,
            "Latency", LOWER_FIRST | NEED_INITIATOR,
            "ReadLatency", LOWER_FIRST | NEED_INITIATOR,
            "WriteLatency", LOWER_FIRST | NEED_INITIATOR);

    private MemoryAttributes() {}

    static boolean isDerived(String name) {
        return name.equals(CAPACITY) || name.equals(LOCALITY);
    }

    /** Whether the flags are a possible answer to what is better and where from. */
    static boolean areValid(long flags) {
        boolean one = (flags & HIGHER_FIRST) != 0 ^ (flags & LOWER_FIRST) != 0;
        return one && (flags & ~(HIGHER_FIRST | LOWER_FIRST | NEED_INITIATOR)) == 0;
    }

    /** The attribute of that name without values, when hwloc has it on every machine. */
    static Optional<MemoryAttribute> predefined(String name) {
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
        return Optional.of(new MemoryAttribute(name, capacity ? HIGHER_FIRST : LOWER_FIRST, values));
    }

    private static long localMemoryBytes(TopologyObject node) {
        return node.attributes() instanceof ObjectAttributes.NumaNode own ? own.localMemoryBytes() : 0;
    }
}
