package org.berth.binding.internal.launch;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.placement.MemoryMode;
import org.berth.placement.MemoryPlace;
import org.berth.placement.PlacementException;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/**
 * The memory policy for the pages of a JVM's heap, apart from those of code, stacks and metaspace: {@code
 * MODE[:WEIGHTS][@NODES]}, the words of the
 * agent's option {@code heap-memory=} (heap_policy.h in place/native), and {@code MODE@tier:KIND}. Immutable.
 *
 * @param mode not {@link MemoryMode#LOCAL}
 * @param weights of the nodes in the order of their numbers, for {@link MemoryMode#WEIGHTED}; empty for those of kernel
 * or firmware
 * @param place nodes or a tier; empty for the nodes that the agent finds
 * @since 0.1.0
 */
public record HeapPolicy(MemoryMode mode, List<Integer> weights, Optional<MemoryPlace> place) {
    /** What a user may write, for the help of a command. */
    public static final String FORM = "MODE[:WEIGHTS][@NODES|@tier:KIND]";

    private static final String TIER = "tier:";

    private static final Pattern WEIGHTS = Pattern.compile("[1-9]\\d{0,5}(,[1-9]\\d{0,5}){0,63}+");

    public HeapPolicy {
        weights = List.copyOf(weights);
    }

    /**
     * The policy that a user wrote.
     *
     * @throws PlacementException one line, when the agent would refuse it on every machine
     */
    public static HeapPolicy parse(String text) {
        int at = text.indexOf('@');
        String front = at < 0 ? text : text.substring(0, at);
        int colon = front.indexOf(':');
        MemoryMode mode = MemoryMode.parse(colon < 0 ? front : front.substring(0, colon));
        if (mode == MemoryMode.LOCAL) {
            throw new PlacementException("local is what the heap has without a policy of its own; choose another mode");
        }
        if (colon >= 0 && mode != MemoryMode.WEIGHTED) {
            throw new PlacementException(
                    "only weighted has weights; nodes stand behind an @, as in " + mode.word() + "@0-1");
        }
        List<Integer> weights = colon < 0 ? List.of() : weights(front.substring(colon + 1));
        return new HeapPolicy(
                mode, weights, at < 0 ? Optional.empty() : Optional.of(place(text.substring(at + 1), weights)));
    }

    private static MemoryPlace place(String text, List<Integer> weights) {
        if (!text.startsWith(TIER)) {
            return new MemoryPlace.Nodes(checked(nodes(text), weights));
        }
        if (text.length() == TIER.length()) {
            throw new PlacementException("there is no tier after the colon; write a name such as @tier:dram");
        }
        return new MemoryPlace.Tier(text.substring(TIER.length()));
    }

    private static NodeSet checked(NodeSet nodes, List<Integer> weights) {
        if (!weights.isEmpty() && weights.size() != nodes.size()) {
            throw new PlacementException(weights.size() + " weights for " + (nodes.size() == 1 ? "node " : "nodes ")
                    + nodes + "; give each node one");
        }
        return nodes;
    }

    /** Whether the nodes are found by {@link #on}, because the agent knows no tiers. */
    public boolean hasTier() {
        return place.isPresent() && place.get() instanceof MemoryPlace.Tier;
    }

    /**
     * The same with the nodes of its tier for these CPUs, which may be of several packages.
     *
     * @throws PlacementException one line, when there is no such node, or not one for each weight
     */
    public HeapPolicy on(Topology topology, CpuSet cpus) {
        return hasTier()
                ? new HeapPolicy(
                        mode,
                        weights,
                        place.map(tier -> new MemoryPlace.Nodes(checked(tier.nodes(topology, cpus), weights))))
                : this;
    }

    private static List<Integer> weights(String text) {
        if (!WEIGHTS.matcher(text).matches()) {
            throw new PlacementException("weights are at most 64 numbers from 1 to 999999, as in weighted:3,1");
        }
        return Stream.of(text.split(",", -1)).map(Integer::valueOf).toList();
    }

    private static NodeSet nodes(String list) {
        try {
            NodeSet nodes = NodeSet.parseList(list);
            if (nodes.isEmpty() || nodes.isInfinite()) {
                throw new PlacementException("no finite list of nodes stands behind the @; write one such as @0-1");
            }
            return nodes;
        } catch (IllegalArgumentException e) {
            throw new PlacementException(e.getMessage() + "; write a list such as @0-1");
        }
    }

    /** The policy as the agent reads it. */
    @Override
    public String toString() {
        String proportion = weights.stream().map(String::valueOf).collect(Collectors.joining(","));
        return mode.word()
                + (proportion.isEmpty() ? "" : ":" + proportion)
                + place.map(HeapPolicy::word).orElse("");
    }

    private static String word(MemoryPlace place) {
        return place instanceof MemoryPlace.Nodes named
                ? "@" + named.nodes()
                : place instanceof MemoryPlace.Tier tier ? "@" + TIER + tier.kind() : "";
    }
}
