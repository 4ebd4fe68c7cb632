package org.berth.placement.internal.policy;

/**
 * More threads than units (cores, PUs) for them. Workers stay apart, each in one package or node, as long as no unit is
 * idle then, and none has more than twice its even share of the threads.
 */
record Crowd(long threads, long units) {
    /** Whether this number of threads may have these units for themselves. */
    boolean isEven(long threadsHere, long unitsHere) {
        return threadsHere >= unitsHere && threadsHere <= mostOnEach() * unitsHere;
    }

    /** The maximum number of threads of one unit. */
    long mostOnEach() {
        return (2 * threads + units - 1) / units;
    }
}
