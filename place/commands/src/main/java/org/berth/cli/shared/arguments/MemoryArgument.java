package org.berth.cli.shared.arguments;

import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.placement.MemoryMode;
import org.berth.placement.MemoryPlace;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/**
 * The value of {@code --memory}: a mode, and the nodes or the memory tier that the user named for it.
 *
 * @param text the value as the user wrote it
 * @param nodes empty for the nodes near the CPUs, or those of a tier
 * @param tier the name of a memory tier
 * @param given whether the user wrote it; an inherited memory policy stays unless another one is asked for
 */
public record MemoryArgument(
        String text, MemoryMode mode, Optional<NodeSet> nodes, Optional<String> tier, boolean given) {
    private static final String TIER = "tier:";

    /** A mode for the nodes near the CPUs. */
    public static MemoryArgument of(MemoryMode mode) {
        return new MemoryArgument(mode.word(), mode, Optional.empty(), Optional.empty(), false);
    }

    /** Parses {@code MODE}, {@code MODE:NODES}, {@code tier:KIND} or {@code MODE:tier:KIND}; a mistake is a usage error. */
    public static MemoryArgument parse(String text) {
        if (text.startsWith(TIER)) {
            return ofTier(text, MemoryMode.BIND, text.substring(TIER.length()));
        }
        if (text.startsWith(MeasuredWeights.MEASURED)) {
            throw wrong(
                    text,
                    "the kernel has one table of weights for all processes, which root sets"
                            + " (/sys/kernel/mm/mempolicy/weighted_interleave); measured ones are for the heap of a JVM, by"
                            + " --heap-memory");
        }
        int colon = text.indexOf(':');
        if (colon < 0) {
            return new MemoryArgument(text, Arguments.memoryMode(text), Optional.empty(), Optional.empty(), true);
        }
        MemoryMode mode = Arguments.memoryMode(text.substring(0, colon));
        if (mode == MemoryMode.LOCAL) {
            throw wrong(text, "mode local has no nodes; choose another mode");
        }
        if (text.startsWith(TIER, colon + 1)) {
            return ofTier(text, mode, text.substring(colon + 1 + TIER.length()));
        }
        try {
            String list = text.substring(colon + 1);
            NodeSet nodes = list.equals("all") ? NodeSet.full() : NodeSet.parseList(list);
            if (nodes.isEmpty()) {
                throw wrong(text, "there is no node after the colon; write a list such as " + mode.word() + ":0");
            }
            return new MemoryArgument(text, mode, Optional.of(nodes), Optional.empty(), true);
        } catch (IllegalArgumentException e) {
            throw wrong(text, e.getMessage() + "; write a list such as " + mode.word() + ":0-1");
        }
    }

    private static MemoryArgument ofTier(String text, MemoryMode mode, String kind) {
        if (kind.isEmpty()) {
            throw wrong(text, "there is no tier after the colon; write a name such as tier:dram");
        }
        return new MemoryArgument(text, mode, Optional.empty(), Optional.of(kind), true);
    }

    /** Whether the user asks for the kernel's default, in place of an inherited policy. */
    public boolean isDefaultPolicy() {
        return given && mode == MemoryMode.LOCAL;
    }

    /** Whether the user named nodes or a tier. */
    public boolean hasPlace() {
        return nodes.isPresent() || tier.isPresent();
    }

    /** The place of the memory on a machine. */
    public MemoryPlace place(Topology topology) {
        return tier.<MemoryPlace>map(MemoryPlace.Tier::new)
                .or(() -> nodes(topology).map(MemoryPlace.Nodes::new))
                .orElse(MemoryPlace.NEAR);
    }

    /** The named nodes, all of them allowed; an open end ("1-") reaches to the last one. */
    private Optional<NodeSet> nodes(Topology topology) {
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
