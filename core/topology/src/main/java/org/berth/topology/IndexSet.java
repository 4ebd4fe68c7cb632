package org.berth.topology;

import java.util.BitSet;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;

/** Skeleton: see CpuSet and NodeSet. */
public abstract sealed class IndexSet<S extends IndexSet<S>> implements Comparable<S> permits CpuSet, NodeSet {
    private static UnsupportedOperationException todo() {
        return new UnsupportedOperationException("skeleton");
    }

    public final boolean contains(int index) {
        throw todo();
    }

    public final boolean isEmpty() {
        throw todo();
    }

    public final boolean isInfinite() {
        throw todo();
    }

    /** Number of members; throws IllegalStateException on an infinite set. */
    public final int size() {
        throw todo();
    }

    /** Smallest member or -1. */
    public final int first() {
        throw todo();
    }

    /** Largest member, or -1 when empty or infinite. */
    public final int last() {
        throw todo();
    }

    /** Smallest member greater than previous (start with -1), or -1. */
    public final int next(int previous) {
        throw todo();
    }

    public final S union(S other) {
        throw todo();
    }

    public final S intersection(S other) {
        throw todo();
    }

    public final S minus(S other) {
        throw todo();
    }

    public final S symmetricDifference(S other) {
        throw todo();
    }

    public final S complement() {
        throw todo();
    }

    public final S with(int index) {
        throw todo();
    }

    public final S without(int index) {
        throw todo();
    }

    public final boolean intersects(S other) {
        throw todo();
    }

    public final boolean containsAll(S other) {
        throw todo();
    }

    /** The set of the first member alone (hwloc_bitmap_singlify). */
    public final S singlify() {
        throw todo();
    }

    public final IntStream stream() {
        throw todo();
    }

    public final PrimitiveIterator.OfInt iterator() {
        throw todo();
    }

    public final int[] toArray() {
        throw todo();
    }

    /** Little-endian 64-bit words, finite sets only. */
    public final long[] toLongs() {
        throw todo();
    }

    public final BitSet toBitSet() {
        throw todo();
    }

    /** hwloc mask form: 0x0000000f or 0x00000001,0x00000000, infinite: 0xf...f. */
    public final String toMaskString() {
        throw todo();
    }

    /** List form: 0-3,8 or 4- ; the empty set is "". */
    @Override
    public final String toString() {
        throw todo();
    }

    @Override
    public final int compareTo(S other) {
        throw todo();
    }
}
