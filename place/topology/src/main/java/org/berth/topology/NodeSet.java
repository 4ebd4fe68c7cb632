package org.berth.topology;

import java.util.BitSet;
import org.berth.topology.internal.bits.Bitmap;
import org.berth.topology.internal.bits.BitmapText;

/**
 * The kernel's numbers (P#) of memory nodes. Immutable and thread-safe. See {@link IndexSet} for the operations.
 *
 * @since 0.1.0
 */
public final class NodeSet extends IndexSet<NodeSet> {
    private static final long serialVersionUID = 1;
    private static final NodeSet EMPTY = new NodeSet(Bitmap.EMPTY);
    private static final NodeSet FULL = new NodeSet(Bitmap.FULL);

    private NodeSet(Bitmap bits) {
        super(bits);
    }

    /** Wraps bits. It is not part of the API. */
    public static NodeSet over(Bitmap bits) {
        return bits.isEmpty() ? EMPTY : new NodeSet(bits);
    }

    @Override
    NodeSet make(Bitmap result) {
        return over(result);
    }

    @Override
    NodeSet self() {
        return this;
    }

    /** No member ({@code hwloc_bitmap_zero}, {@code hwloc_bitmap_alloc}). */
    public static NodeSet empty() {
        return EMPTY;
    }

    /** All indexes from 0 on: infinite ({@code hwloc_bitmap_fill}, {@code hwloc_bitmap_alloc_full}). */
    public static NodeSet full() {
        return FULL;
    }

    /** These members alone ({@code hwloc_bitmap_only}). */
    public static NodeSet of(int... indexes) {
        return over(bitsOf(indexes));
    }

    /** All indexes from one to the other, both included. */
    public static NodeSet range(int from, int to) {
        return over(bitsOf(from, to));
    }

    /** All indexes from one on: infinite ({@code hwloc_bitmap_set_range} up to -1). */
    public static NodeSet from(int first) {
        return first == 0 ? FULL : range(0, first - 1).complement();
    }

    /** All indexes but these: infinite ({@code hwloc_bitmap_allbut}). */
    public static NodeSet allBut(int... indexes) {
        return of(indexes).complement();
    }

    /**
     * From little-endian 64-bit words, as the kernel's system calls give them ({@code hwloc_bitmap_from_ulongs},
     * {@code hwloc_bitmap_from_ulong}); the array is copied.
     */
    public static NodeSet ofLongs(long... words) {
        return over(bitsOf(words.clone()));
    }

    /** A copy of a BitSet. */
    public static NodeSet ofBitSet(BitSet bits) {
        return over(bitsOf(bits.toLongArray()));
    }

    /**
     * Reads the list form: "0-3,8", "4-" (infinite); "" is the empty set ({@code hwloc_bitmap_list_sscanf}).
     *
     * @throws IllegalArgumentException one line that says what is wrong with the text
     */
    public static NodeSet parseList(String text) {
        return over(BitmapText.parseList(text, "node list"));
    }

    /**
     * Reads the masks of hwloc, taskset and the kernel: "0x0000000f", "0x1,,0x0", "0xf...f", "f", "00000001,00000000"
     * ({@code hwloc_bitmap_sscanf}, {@code hwloc_bitmap_taskset_sscanf}).
     *
     * @throws IllegalArgumentException one line that says what is wrong with the text
     */
    public static NodeSet parseMask(String text) {
        return over(BitmapText.parseMask(text, "node mask"));
    }
}
