package org.berth.placement;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.topology.NodeSet;

/**
 * Where the pages of a JVM's heap go, apart from those of code, stacks and metaspace: {@code MODE[:WEIGHTS][@NODES]}, the words of the
 * agent's option {@code heap=} (heap_policy.h in core/native). Immutable.
 *
 * @param mode not {@link MemoryMode#LOCAL}
 * @param weights of the nodes in the order of their numbers, for {@link MemoryMode#WEIGHTED}; empty for those of kernel or firmware
 * @param nodes empty for those that the agent finds
 * @since 0.1.0
 */
public record HeapPolicy(MemoryMode mode, List<Integer> weights, Optional<NodeSet> nodes) {
    /** What a user may write, for the help of a command. */
    public static final String FORM = "MODE[:WEIGHTS][@NODES]";

    private static final Pattern WEIGHTS = Pattern.compile("[1-9]\\d{0,5}(,[1-9]\\d{0,5})*+");

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
        Optional<NodeSet> nodes = at < 0 ? Optional.empty() : Optional.of(nodes(text.substring(at + 1)));
        if (nodes.isPresent() && !weights.isEmpty() && weights.size() != nodes.get().size()) {
            throw new PlacementException(
                    weights.size() + " weights for " + nodes.get().size() + " nodes; give each node one");
        }
        return new HeapPolicy(mode, weights, nodes);
    }

    private static List<Integer> weights(String text) {
        if (!WEIGHTS.matcher(text).matches()) {
            throw new PlacementException("weights are numbers from 1 on, as in weighted:3,1");
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
                + nodes.map(set -> "@" + set).orElse("");
    }
}
