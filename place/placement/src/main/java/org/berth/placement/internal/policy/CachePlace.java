package org.berth.placement.internal.policy;

import java.util.Comparator;
import org.berth.placement.internal.parts.CpuChoice;

/** A cache, and what uses it so far. Compared by identity; for one thread. */
final class CachePlace {
    /** The fewest threads for its size after one more. */
    static final Comparator<CachePlace> LEAST_USED = (first, second) ->
            Long.compare((first.threads + 1L) * second.part.cpus(), (second.threads + 1L) * first.part.cpus());

    final CachePart part;
    final CpuChoice choice;
    int workers;
    int threads;

    CachePlace(CachePart part) {
        this.part = part;
        this.choice = CpuChoice.anywhereIn(part.domain()).explained("", reason(part));
    }

    /** A part that stands for its node or package needs no such note. */
    private static String reason(CachePart part) {
        return part.domain().logicalIndexes().isEmpty() ? "" : " of " + part.home();
    }

    /** CPUs without a thread; negative when there are more threads. */
    int free() {
        return part.cpus() - threads;
    }
}
