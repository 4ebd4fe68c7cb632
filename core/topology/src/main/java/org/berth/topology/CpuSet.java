package org.berth.topology;

import java.util.BitSet;

/** The kernel's numbers (P#) of processing units. See {@link IndexSet} for the operations. */
public final class CpuSet extends IndexSet<CpuSet> {
    private static final CpuSet EMPTY = new CpuSet(Bitmap.EMPTY);
    private static final CpuSet FULL = new CpuSet(Bitmap.FULL);

    private CpuSet(Bitmap bits) {
        super(bits);
    }

    static CpuSet over(Bitmap bits) {
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

    public static CpuSet empty() {
        return EMPTY;
    }

    /** All indexes from 0 on: infinite. */
    public static CpuSet full() {
        return FULL;
    }

    public static CpuSet of(int... indexes) {
        return over(bitsOf(indexes));
    }

    /** All indexes from one to the other, both included. */
    public static CpuSet range(int from, int to) {
        return over(bitsOf(from, to));
    }

    /** From little-endian 64-bit words, as the kernel's system calls give them; the array is copied. */
    public static CpuSet ofLongs(long... words) {
        return over(bitsOf(words.clone()));
    }

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
     * ({@code hwloc_bitmap_sscanf}, {@code hwloc_bitmap_taskset_sscanf}).
     *
     * @throws IllegalArgumentException one line that says what is wrong with the text
     */
    public static CpuSet parseMask(String text) {
        return over(BitmapText.parseMask(text, "CPU mask"));
    }
}
