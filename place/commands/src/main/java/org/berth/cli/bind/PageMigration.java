package org.berth.cli.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.berth.binding.LiveProcess;
import org.berth.observation.internal.kernel.NodeMemory;
import org.berth.observation.memory.MemoryLocality;
import org.berth.observation.memory.MemorySnapshot;
import org.berth.text.Bytes;
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

    /**
     * Fills the nodes that the CPUs belong to first, and the other ones when these are full. Throws a BindingException when the kernel
     * refuses.
     *
     * @return pages that could not be moved
     */
    static long move(LiveProcess process, LiveState before, NodeSet to, NodeSet local) {
        NodeSet from = elsewhere(before.memory(), to);
        NodeSet first = to.intersection(local);
        NodeSet rest = to.minus(local);
        long left = from.isEmpty() || first.isEmpty() ? Long.MAX_VALUE : process.movePages(from, first);
        return from.isEmpty() ? 0 : left == 0 || rest.isEmpty() ? left : process.movePages(from, rest);
    }

    /** Returns a note about pages that could not be moved: where they are, and why as far as the free memory tells. */
    static Optional<String> left(LiveState now, NodeSet to, Map<Integer, NodeMemory> memory) {
        NodeSet elsewhere = elsewhere(now.memory(), to);
        if (elsewhere.isEmpty()) {
            return Optional.empty();
        }
        List<String> rooms = new ArrayList<>();
        for (int node : to.toArray()) {
            NodeMemory own = memory.get(node);
            if (own != null) {
                rooms.add(Bytes.text(own.freeBytes()) + " of node " + node);
            }
        }
        MemoryLocality locality = MemoryLocality.of(now.memory().orElseThrow(), to);
        return Optional.of(Bytes.text(locality.totalBytes() - locality.nearBytes()) + " of its memory stays on nodes "
                + elsewhere + ": these pages are shared, pinned or in use, or there is no room"
                + (rooms.isEmpty() ? "" : "; free now: " + String.join(", ", rooms)));
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
                Bytes.text(locality.totalBytes() - locality.nearBytes()),
                100 * (1 - locality.share()),
                elsewhere));
    }
}
