package org.berth.topology;

import java.util.BitSet;

/** Skeleton. */
public final class CpuSet extends IndexSet<CpuSet> {
    private static UnsupportedOperationException todo() {
        return new UnsupportedOperationException("skeleton");
    }

    public static CpuSet empty() {
        throw todo();
    }

    /** All indexes from 0 on: infinite. */
    public static CpuSet full() {
        throw todo();
    }

    public static CpuSet of(int... indexes) {
        throw todo();
    }

    /** Both ends included. */
    public static CpuSet range(int from, int to) {
        throw todo();
    }

    public static CpuSet ofLongs(long... words) {
        throw todo();
    }

    public static CpuSet ofBitSet(BitSet bits) {
        throw todo();
    }

    /** "0-3,8", "4-" (infinite), "" is the empty set; IllegalArgumentException with one clear line. */
    public static CpuSet parseList(String text) {
        throw todo();
    }

    /** hwloc and taskset masks: "0x0000000f", "0x1,0x0", "0xf...f", "f". */
    public static CpuSet parseMask(String text) {
        throw todo();
    }
}
