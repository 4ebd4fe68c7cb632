package org.berth.binding;

import org.berth.placement.MemoryMode;
import org.berth.topology.NodeSet;

/**
 * Where new memory pages go (numa(7), set_mempolicy(2)).
 *
 * @param nodes operating system indexes of the nodes; empty with {@link MemoryMode#LOCAL} and only then
 * @since 0.1.0
 */
public record MemoryPolicy(MemoryMode mode, NodeSet nodes) {
    /** @throws IllegalArgumentException when LOCAL has nodes, or another mode has none */
    public MemoryPolicy {
        if (mode == MemoryMode.LOCAL != nodes.isEmpty()) {
            throw new IllegalArgumentException(
                    mode == MemoryMode.LOCAL
                            ? "memory mode LOCAL takes no nodes, but " + nodes + " were given"
                            : "memory mode " + mode + " needs at least one node");
        }
    }

    /** The kernel's default: a page goes to the node of the thread that first touches it. */
    public static MemoryPolicy local() {
        return new MemoryPolicy(MemoryMode.LOCAL, NodeSet.empty());
    }

    @Override
    public String toString() {
        return mode == MemoryMode.LOCAL ? "LOCAL" : mode + " nodes " + nodes;
    }
}
