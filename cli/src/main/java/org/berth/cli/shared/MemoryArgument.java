package org.berth.cli.shared;

import java.util.Optional;
import org.berth.placement.MemoryMode;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/**
 * The value of {@code --memory}: a mode, and the nodes that the user named for it.
 *
 * @param text the value as the user wrote it
 * @param nodes empty for the nodes near the CPUs
 */
public record MemoryArgument(String text, MemoryMode mode, Optional<NodeSet> nodes) {
    /** A mode for the nodes near the CPUs. */
    public static MemoryArgument of(MemoryMode mode) {
        return new MemoryArgument(mode.word(), mode, Optional.empty());
    }

    /** Parses {@code MODE} or {@code MODE:NODES}; a mistake is a usage error. */
    public static MemoryArgument parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            return new MemoryArgument(text, Arguments.memoryMode(text), Optional.empty());
        }
        MemoryMode mode = Arguments.memoryMode(text.substring(0, colon));
        if (mode == MemoryMode.LOCAL) {
            throw wrong(text, "mode local has no nodes; choose bind, prefer or interleave");
        }
        try {
            NodeSet nodes = NodeSet.parseList(text.substring(colon + 1));
            if (nodes.isEmpty()) {
                throw wrong(text, "there is no node after the colon; write a list such as " + mode.word() + ":0");
            }
            return new MemoryArgument(text, mode, Optional.of(nodes));
        } catch (IllegalArgumentException e) {
            throw wrong(text, e.getMessage() + "; write a list such as " + mode.word() + ":0-1");
        }
    }

    /** The named nodes, all of them allowed; an open end ("1-") reaches to the last one. */
    public Optional<NodeSet> nodes(Topology topology) {
        NodeSet allowed = topology.allowedNodeSet().intersection(topology.nodeSet());
        Optional<NodeSet> chosen = nodes.map(set -> set.isInfinite() ? set.intersection(allowed) : set);
        NodeSet outside = chosen.orElseGet(NodeSet::empty).minus(allowed);
        if (chosen.isPresent() && chosen.get().isEmpty()) {
            throw wrong(text, "there is no such node here; choose from " + allowed);
        }
        if (!outside.isEmpty()) {
            throw wrong(
                    text,
                    (topology.nodeSet().intersects(outside)
                                    ? "this process may not use node " + outside
                                    : "there is no node " + outside + " here, or its cpuset hides it")
                            + "; choose from " + allowed);
        }
        return chosen;
    }

    private static CommandException wrong(String text, String reason) {
        return CommandException.usage("--memory " + text + ": " + reason);
    }
}
