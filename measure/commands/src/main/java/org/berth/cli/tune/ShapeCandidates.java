package org.berth.cli.tune;

import java.util.List;
import java.util.Optional;
import org.berth.placement.internal.shape.ShapeRequest;

/** Makes candidates of shapes for a kind of command. */
interface ShapeCandidates {
    /** The level that no name mentions. */
    String usualLevel();

    /**
     * The level that does the same here.
     *
     * @param everywhere whether the shape is one process that has all CPUs and nodes of the machine
     */
    String effectiveLevel(TuneShape shape, boolean everywhere);

    /** Why the totals of a shape are not those of the machine; empty when they are. */
    Optional<String> uneven(TuneShape shape);

    /** Heap of all its processes together. */
    long heapBytes(TuneShape shape);

    /** Why a shape cannot run; empty when it can. */
    Optional<String> obstacle(TuneShape shape);

    /**
     * A candidate.
     *
     * @param request that gave the shape
     * @param flags options of its JVMs
     */
    TuneCandidate make(String name, TuneShape shape, ShapeRequest request, List<String> flags);
}
