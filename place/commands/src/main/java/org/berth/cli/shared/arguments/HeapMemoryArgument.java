package org.berth.cli.shared.arguments;

import java.nio.file.Path;
import java.util.SortedMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.berth.binding.internal.launch.HeapPolicy;
import org.berth.cli.shared.CommandException;
import org.berth.placement.MemoryPlace;
import org.berth.placement.PlacementException;
import org.berth.topology.NodeSet;

/**
 * The value of {@code --heap-memory}: the words of the agent's option {@code heap-memory=}, a memory tier, or weights that are measured bandwidths.
 */
public final class HeapMemoryArgument {
    /** What the option takes, for its help. */
    public static final String LABEL = "POLICY";

    private static final String MEASURED = MeasuredWeights.MEASURED;

    private HeapMemoryArgument() {}

    /**
     * The policy; a usage error when the agent would refuse it on every machine, or weights were not measured for its nodes.
     *
     * @param nodes those that the process may use, for weights without named nodes
     */
    public static HeapPolicy parse(String text, Supplier<NodeSet> nodes) {
        try {
            return text.startsWith(MEASURED) ? measured(text, nodes) : HeapPolicy.parse(text);
        } catch (PlacementException e) {
            throw CommandException.usage("--heap-memory " + text + ": " + e.getMessage());
        }
    }

    /** Nodes stand behind the last @: the name of a folder may have others. */
    private static HeapPolicy measured(String text, Supplier<NodeSet> allowed) {
        int at = text.lastIndexOf('@');
        boolean named = at >= 0 && text.substring(at).matches("@[\\d,-]+");
        NodeSet nodes = named
                ? HeapPolicy.parse("interleave" + text.substring(at))
                        .place()
                        .map(place -> place instanceof MemoryPlace.Nodes one ? one.nodes() : NodeSet.empty())
                        .orElseThrow()
                : allowed.get();
        Path folder = Path.of(text.substring(MEASURED.length(), named ? at : text.length()));
        SortedMap<Integer, Integer> weights = MeasuredWeights.read(folder, nodes);
        return HeapPolicy.parse("weighted:"
                + weights.values().stream().map(String::valueOf).collect(Collectors.joining(",")) + "@" + nodes);
    }
}
