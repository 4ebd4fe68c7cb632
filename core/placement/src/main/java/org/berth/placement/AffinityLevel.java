package org.berth.placement;

/** Skeleton. */
public enum AffinityLevel {
    NONE,
    NUMA,
    CPU,
    CORE,
    PU
}
