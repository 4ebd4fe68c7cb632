package org.berth.cli.bind;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.berth.binding.LiveProcess;
import org.berth.drawing.internal.text.Labels;
import org.berth.observation.MemoryLocality;
import org.berth.observation.MemorySnapshot;
import org.berth.topology.NodeSet;

/** Migrates the pages of a process to the nodes of its CPUs, and reports the remaining pages. */
final class PageMigration {
    private PageMigration() {}

    /** Nodes that hold pages and are not among the wanted ones. */
    static NodeSet elsewhere(Optional<MemorySnapshot> memory, NodeSet wanted) {
        return memory.map(snapshot -> NodeSet.of(snapshot.bytesByNode().keySet().stream()
                                .mapToInt(Integer::intValue)
                                .toArray())
                        .minus(wanted))
                .orElseGet(NodeSet::empty);
    }

    /** Returns a note about the pages that stayed, if any; throws a BindingException when the kernel refuses. */
    static Optional<String> move(LiveProcess process, LiveState before, NodeSet to) {
        NodeSet from = elsewhere(before.memory(), to);
        if (from.isEmpty()) {
            return Optional.empty();
        }
        long left = process.movePages(from, to);
        return left == 0
                ? Optional.empty()
                : Optional.of(left
                        + " pages could not be migrated: they are shared, pinned or in use, or the nodes are full");
    }

    /** Returns a note about pages that stay on other nodes. */
    static List<String> staying(LiveState now, NodeSet nodes) {
        NodeSet elsewhere = elsewhere(now.memory(), nodes);
        if (elsewhere.isEmpty() || nodes.isEmpty()) {
            return List.of();
        }
        MemoryLocality locality = MemoryLocality.of(now.memory().orElseThrow(), nodes);
        return List.of(String.format(
                Locale.ROOT,
                "%s (%.1f %%) of its memory is on nodes %s and stays there (--move migrates it)",
                Labels.bytes(locality.totalBytes() - locality.nearBytes()),
                100 * (1 - locality.share()),
                elsewhere));
    }
}
