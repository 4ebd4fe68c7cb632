package org.berth.cli.shared;

import org.berth.placement.HeapPolicy;
import org.berth.placement.PlacementException;

/** The value of {@code --heap-memory}, in the words of the agent's option {@code heap=}. */
public final class HeapMemoryArgument {
    private HeapMemoryArgument() {}

    /** The policy; a usage error when the agent would refuse it on every machine. */
    public static HeapPolicy parse(String text) {
        try {
            return HeapPolicy.parse(text);
        } catch (PlacementException e) {
            throw CommandException.usage("--heap-memory " + text + ": " + e.getMessage());
        }
    }
}
