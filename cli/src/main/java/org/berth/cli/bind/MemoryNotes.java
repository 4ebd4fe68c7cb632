package org.berth.cli.bind;

import java.util.List;
import java.util.Optional;
import org.berth.placement.MemoryMode;
import org.berth.topology.NodeSet;

/** What a wish for a memory policy comes to for a process that runs already. A pure function. */
final class MemoryNotes {
    private MemoryNotes() {}

    static List<String> policy(Optional<MemoryMode> wish, NodeSet nodes) {
        if (wish.isEmpty() || wish.get() == MemoryMode.LOCAL) {
            return List.of();
        }
        String pages = wish.get() == MemoryMode.INTERLEAVE
                ? "can follow to nodes " + nodes + ", not be interleaved,"
                : "can follow to nodes " + nodes;
        return List.of("memory " + wish.get().word() + ": from outside only the present pages " + pages
                + "; a thread alone sets its policy for new ones (set_mempolicy), so these come from the node of the"
                + " thread that touches them first ('berth run' sets the policy at the start)");
    }
}
