package org.berth.placement;

import org.berth.placement.internal.Choice;
import org.berth.text.Words;

/**
 * The order in which the threads of a worker take the L3 caches of a machine, at the levels that bind at least as
 * tightly as {@link AffinityLevel#L3}. No order suits all work: threads that share data gain from one cache (KEP-4800
 * measured 18 %), threads bound by memory bandwidth by several, because on AMD's servers each has a link of its own to
 * memory.
 *
 * @since 0.1.0
 */
public enum ThreadOrder {
    /** Fills one L3 cache before the next. The default, for threads that share data. */
    PACK,
    /**
     * A thread on each L3 cache in turn, for threads bound by memory bandwidth. Where caches differ in size or CPUs in
     * speed, only on alike ones while they have room.
     */
    SPREAD,
    /** Orders as {@link #SPREAD}, over caches of every size and CPUs of every speed. */
    SPREAD_ALL;

    /** The name that users write: "pack", "spread", "spread-all". */
    public String word() {
        return Words.of(this);
    }

    /**
     * The order that a user named.
     *
     * @throws PlacementException one line with the choices, when there is no such order
     */
    public static ThreadOrder parse(String text) {
        return Choice.parse("order", text, values(), PlacementException::new);
    }
}
