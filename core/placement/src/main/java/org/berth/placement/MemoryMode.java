package org.berth.placement;

/** Skeleton: how memory follows the CPUs. */
public enum MemoryMode {
    LOCAL,
    BIND,
    PREFER,
    INTERLEAVE
}
