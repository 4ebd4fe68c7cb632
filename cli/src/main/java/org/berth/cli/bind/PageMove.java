package org.berth.cli.bind;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.berth.binding.LiveProcess;
import org.berth.drawing.text.Labels;
import org.berth.observation.MemoryLocality;
import org.berth.observation.MemorySnapshot;
import org.berth.topology.NodeSet;

/** Moves the pages of a process to the nodes of its CPUs, and says what stayed behind. */
final class PageMove {
    private PageMove() {}

    /** Nodes that hold pages now and are none of the wanted ones. */
    static NodeSet elsewhere(Optional<MemorySnapshot> memory, NodeSet wanted) {
        return memory.map(snapshot -> NodeSet.of(snapshot.bytesByNode().keySet().stream()
                                .mapToInt(Integer::intValue)
                                .toArray())
                        .minus(wanted))
                .orElseGet(NodeSet::empty);
    }

    /** What to say of the pages that stayed, if any did; a BindingException when the kernel refuses. */
    static Optional<String> move(LiveProcess process, LiveState before, NodeSet to) {
        NodeSet from = elsewhere(before.memory(), to);
        if (from.isEmpty()) {
            return Optional.empty();
        }
        long left = process.movePages(from, to);
        return left == 0
                ? Optional.empty()
                : Optional.of(
                        left + " pages could not be moved: they are shared, pinned or in use, or the nodes are full");
    }

    /** Says that pages are elsewhere and stay there. */
    static List<String> staying(LiveState now, NodeSet nodes) {
        NodeSet elsewhere = elsewhere(now.memory(), nodes);
        if (elsewhere.isEmpty() || nodes.isEmpty()) {
            return List.of();
        }
        MemoryLocality locality = MemoryLocality.of(now.memory().orElseThrow(), nodes);
        return List.of(String.format(
                Locale.ROOT,
                "%s (%.1f %%) of its memory are on nodes %s and stay there (--move moves them)",
                Labels.bytes(locality.totalBytes() - locality.nearBytes()),
                100 * (1 - locality.share()),
                elsewhere));
    }
}
