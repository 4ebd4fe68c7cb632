package org.berth.placement;

/**
 * More threads than units (cores, PUs) for them. Workers stay apart, each in one package or node, as long as no unit is idle
 * then, and none has more than twice its even share of the threads.
 */
record Crowd(long threads, long units) {
    /** Whether so many threads may have these units for themselves. */
    boolean isEven(long threadsHere, long unitsHere) {
        return threadsHere >= unitsHere && threadsHere <= mostOnEach() * unitsHere;
    }

    /** The most threads that one unit gets. */
    long mostOnEach() {
        return (2 * threads + units - 1) / units;
    }
}
