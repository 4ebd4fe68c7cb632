package org.berth.binding;

import org.berth.placement.EdgeChange;
import org.berth.placement.SoftEdges;

/**
 * What {@link EdgeWatch} has done so far. Immutable.
 *
 * @param openings how often an edge has opened that was closed
 * @param closings how often one has closed
 * @param openNanos time that threads had slots with an open edge, summed up over slots
 * @param heldNanos time that threads had slots
 * @since 0.1.0
 */
public record EdgeCounts(long openings, long closings, long openNanos, long heldNanos) {
    /** Nothing so far. */
    public static final EdgeCounts NONE = new EdgeCounts(0, 0, 0, 0);

    EdgeCounts plus(SoftEdges before, boolean[] busy, SoftEdges.Step step) {
        long elapsed = step.elapsedNanos();
        long open = openNanos;
        long held = heldNanos;
        for (int slot = 0; slot < busy.length; slot++) {
            if (busy[slot]) {
                held += elapsed;
                open += before.isOpen(slot) ? elapsed : 0;
            }
        }
        long opened = step.changes().stream().filter(EdgeChange::open).count();
        return new EdgeCounts(openings + opened, closings + step.changes().size() - opened, open, held);
    }

    /** The sum of both. */
    public EdgeCounts plus(EdgeCounts other) {
        return new EdgeCounts(
                openings + other.openings,
                closings + other.closings,
                openNanos + other.openNanos,
                heldNanos + other.heldNanos);
    }

    /** The share of time, from 0 to 1, that threads with a slot could leave it; 1 before any had one. */
    public double openShare() {
        return heldNanos == 0 ? 1 : (double) openNanos / heldNanos;
    }

    /** "edges open 34 % of the time, 12 opened again": for a log. */
    public String words() {
        return "edges open " + Math.round(100 * openShare()) + " % of the time, " + openings + " opened again";
    }
}
