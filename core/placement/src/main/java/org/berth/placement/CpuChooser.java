package org.berth.placement;

import java.util.List;

/** Chooses CPUs for every thread of every worker. */
interface CpuChooser {
    CpuChoice choose(int worker, int thread);

    /** Sharing that the choices do not show. */
    default void report(Sharing sharing) {}

    /** Workers over domains in turn, each thread anywhere in its worker's domain. */
    static CpuChooser free(List<Domain> domains) {
        List<CpuChoice> choices = domains.stream().map(CpuChoice::anywhereIn).toList();
        return (worker, thread) -> choices.get(worker % choices.size());
    }
}
