package org.berth.topology;

import java.util.BitSet;

/** Skeleton. */
public final class NodeSet extends IndexSet<NodeSet> {
    private static UnsupportedOperationException todo() {
        return new UnsupportedOperationException("skeleton");
    }

    public static NodeSet empty() {
        throw todo();
    }

    /** All indexes from 0 on: infinite. */
    public static NodeSet full() {
        throw todo();
    }

    public static NodeSet of(int... indexes) {
        throw todo();
    }

    /** Both ends included. */
    public static NodeSet range(int from, int to) {
        throw todo();
    }

    public static NodeSet ofLongs(long... words) {
        throw todo();
    }

    public static NodeSet ofBitSet(BitSet bits) {
        throw todo();
    }

    /** "0-3,8", "4-" (infinite), "" is the empty set; IllegalArgumentException with one clear line. */
    public static NodeSet parseList(String text) {
        throw todo();
    }

    /** hwloc and taskset masks: "0x0000000f", "0x1,0x0", "0xf...f", "f". */
    public static NodeSet parseMask(String text) {
        throw todo();
    }
}
