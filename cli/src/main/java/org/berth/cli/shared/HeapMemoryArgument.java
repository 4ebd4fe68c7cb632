package org.berth.cli.shared;

import java.util.regex.Pattern;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementException;
import org.berth.topology.NodeSet;

/** The value of {@code --heap-memory}, in the words of the agent's option {@code heap=} (heap_policy.h in core/native). */
public final class HeapMemoryArgument {
    /** What the option takes, for its help. */
    public static final String LABEL = "MODE[:WEIGHTS][@NODES]";

    private static final Pattern WEIGHTS = Pattern.compile("[1-9]\\d{0,5}(,[1-9]\\d{0,5})*+");

    private HeapMemoryArgument() {}

    /** The text itself; a usage error when the agent would refuse it on every machine. */
    public static String parse(String text) {
        int at = text.indexOf('@');
        String front = at < 0 ? text : text.substring(0, at);
        int colon = front.indexOf(':');
        MemoryMode mode = mode(text, colon < 0 ? front : front.substring(0, colon));
        if (colon >= 0 && mode != MemoryMode.WEIGHTED) {
            throw wrong(text, "only weighted has weights; nodes stand behind an @, as in " + mode.word() + "@0-1");
        }
        if (colon >= 0 && !WEIGHTS.matcher(front.substring(colon + 1)).matches()) {
            throw wrong(text, "weights are numbers from 1 on, as in weighted:3,1");
        }
        if (at >= 0) {
            requireNodes(text, text.substring(at + 1));
        }
        return text;
    }

    private static MemoryMode mode(String text, String word) {
        try {
            MemoryMode mode = MemoryMode.parse(word);
            if (mode == MemoryMode.LOCAL) {
                throw wrong(text, "local is what the heap has without the option; choose another mode");
            }
            return mode;
        } catch (PlacementException e) {
            throw wrong(text, String.valueOf(e.getMessage()));
        }
    }

    private static void requireNodes(String text, String list) {
        try {
            NodeSet nodes = NodeSet.parseList(list);
            if (nodes.isEmpty() || nodes.isInfinite()) {
                throw wrong(text, "no finite list of nodes stands behind the @; write one such as @0-1");
            }
        } catch (IllegalArgumentException e) {
            throw wrong(text, e.getMessage() + "; write a list such as @0-1");
        }
    }

    private static CommandException wrong(String text, String reason) {
        return CommandException.usage("--heap-memory " + text + ": " + reason);
    }
}
