package org.berth.topology;

import java.util.BitSet;
import org.berth.topology.internal.bits.Bitmap;
import org.berth.topology.internal.bits.BitmapText;

/**
 * The kernel's numbers (P#) of processing units. Immutable and thread-safe. See {@link IndexSet} for the operations.
 *
 * @since 0.1.0
 */
public final class CpuSet extends IndexSet<CpuSet> {
    private static final long serialVersionUID = 1;
    private static final CpuSet EMPTY = new CpuSet(Bitmap.EMPTY);
    private static final CpuSet FULL = new CpuSet(Bitmap.FULL);

    private CpuSet(Bitmap bits) {
        super(bits);
    }

    /** Wraps bits. It is not part of the API. */
    public static CpuSet over(Bitmap bits) {
        return bits.isEmpty() ? EMPTY : new CpuSet(bits);
    }

    @Override
    CpuSet make(Bitmap result) {
        return over(result);
    }

    @Override
    CpuSet self() {
        return this;
    }

    /** No member ({@code hwloc_bitmap_zero}, {@code hwloc_bitmap_alloc}). */
    public static CpuSet empty() {
        return EMPTY;
    }

    /** All indexes from 0 on: infinite ({@code hwloc_bitmap_fill}, {@code hwloc_bitmap_alloc_full}). */
    public static CpuSet full() {
        return FULL;
    }

    /** These members alone ({@code hwloc_bitmap_only}). */
    public static CpuSet of(int... indexes) {
        return over(bitsOf(indexes));
    }

    /** All indexes from one to the other, both included. */
    public static CpuSet range(int from, int to) {
        return over(bitsOf(from, to));
    }

    /** All indexes from one on: infinite ({@code hwloc_bitmap_set_range} up to -1). */
    public static CpuSet from(int first) {
        return first == 0 ? FULL : range(0, first - 1).complement();
    }

    /** All indexes but these: infinite ({@code hwloc_bitmap_allbut}). */
    public static CpuSet allBut(int... indexes) {
        return of(indexes).complement();
    }

    /**
     * From little-endian 64-bit words, as the kernel's system calls give them ({@code hwloc_bitmap_from_ulongs},
     * {@code hwloc_bitmap_from_ulong}); the array is copied.
     */
    public static CpuSet ofLongs(long... words) {
        return over(bitsOf(words.clone()));
    }

    /** A copy of a BitSet. */
    public static CpuSet ofBitSet(BitSet bits) {
        return over(bitsOf(bits.toLongArray()));
    }

    /**
     * Reads the list form: "0-3,8", "4-" (infinite); "" is the empty set ({@code hwloc_bitmap_list_sscanf}).
     *
     * @throws IllegalArgumentException one line that says what is wrong with the text
     */
    public static CpuSet parseList(String text) {
        return over(BitmapText.parseList(text, "CPU list"));
    }

    /**
     * Reads the masks of hwloc, taskset and the kernel: "0x0000000f", "0x1,,0x0", "0xf...f", "f", "00000001,00000000"
     * ({@code hwloc_bitmap_sscanf}, {@code hwloc_bitmap_taskset_sscanf}, {@code hwloc_linux_read_path_as_cpumask}).
     *
     * @throws IllegalArgumentException one line that says what is wrong with the text
     */
    public static CpuSet parseMask(String text) {
        return over(BitmapText.parseMask(text, "CPU mask"));
    }
}
