package org.berth.placement;

import org.berth.placement.internal.Choice;
import org.berth.text.Words;

/**
 * How tightly a thread is tied to the hardware, from loose to tight. The levels are those of Expósito, Veiga and
 * Touriño for Flame-MR ("Enabling hardware affinity in JVM-based applications", ICCS 2020), with NUMA nodes and L3 caches
 * added.
 *
 * @since 0.1.0
 */
public enum AffinityLevel {
    /** Anywhere in the allowed set: the kernel decides. */
    NONE,
    /** Workers go to NUMA nodes in turn; a worker's threads move freely inside its node. */
    NUMA,
    /**
     * Workers go to packages in turn; a worker's threads move freely inside its package. The authors call it {@code
     * cpu}.
     */
    PACKAGE,
    /**
     * Each worker gets one L3 cache, or several if it has more threads than a cache has CPUs, in one node while they
     * fit there. A thread moves freely inside one cache; {@link ThreadOrder} says which. */
    L3,
    /**
     * Each worker gets a group of cores of one package, and each thread one core with all its PUs. A worker takes cores
     * of several packages only where its threads would otherwise share some while others are free; at the levels before
     * this one the same holds of their parts, and the plan has a note of it. */
    CORE,
    /** Each worker gets the same group, and each thread one PU: first PUs of all cores before second ones. */
    PU;

    /** The name that users write, in lower case. */
    public String word() {
        return Words.of(this);
    }

    /**
     * The level that a user named; {@code cpu} is an alias of {@code package}.
     *
     * @throws PlacementException one line with the choices, when there is no such level
     */
    public static AffinityLevel parse(String text) {
        return text.equals("cpu") ? PACKAGE : Choice.parse("affinity level", text, values(), PlacementException::new);
    }
}
