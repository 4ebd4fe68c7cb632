package org.berth.cli.bind;

import java.util.List;
import java.util.Optional;
import org.berth.placement.MemoryMode;
import org.berth.topology.NodeSet;

/** The limits of a memory policy for a running process. A pure function. */
final class MemoryNotes {
    private MemoryNotes() {}

    static List<String> policy(Optional<MemoryMode> wish, NodeSet nodes) {
        if (wish.isEmpty() || wish.get() == MemoryMode.LOCAL) {
            return List.of();
        }
        boolean spreads = wish.get() == MemoryMode.INTERLEAVE || wish.get() == MemoryMode.WEIGHTED;
        String pages = "can be migrated to nodes " + nodes + (spreads ? ", not interleaved" : "");
        return List.of("memory " + wish.get().word() + ": in a running process only present pages " + pages
                + "; only a thread itself can set its policy for new pages (set_mempolicy), so these come from the node of"
                + " the thread that touches them first ('berth run' sets the policy at the start)");
    }
}
