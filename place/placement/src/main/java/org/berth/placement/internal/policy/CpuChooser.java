package org.berth.placement.internal.policy;

import java.util.List;
import org.berth.placement.internal.parts.CpuChoice;

/** Chooses CPUs for every thread of every worker. */
interface CpuChooser {
    CpuChoice choose(int worker, int thread);

    /** Sharing that the choices do not show. */
    default void report(Sharing sharing) {}

    /** Compromises of the choices, for the plan's notes. */
    default List<String> notes() {
        return List.of();
    }
}
