package org.berth.mapreduce.programs.duplicates;

import java.util.Arrays;
import org.berth.mapreduce.programs.reads.Fragment;
import org.berth.mapreduce.programs.reads.Read;

/** Bases of a fragment as words of 16 bases, so that mismatches are counted 16 at a time. */
final class PackedBases {
    private static final int BITS_PER_BASE = 4;
    private static final int BASES_PER_WORD = Long.SIZE / BITS_PER_BASE;
    private static final long LOWEST_BITS = 0x1111111111111111L;
    private static final long[] NONE = {};
    /** All letters but A, C, G and T are one letter, which matches itself alone; 0 is behind the end of the read. */
    private static final int UNKNOWN = 5;

    private final long[] first;
    private final long[] second;

    PackedBases(Fragment fragment) {
        first = pack(fragment.first());
        second = fragment.paired() ? pack(fragment.second()) : NONE;
    }

    private static long[] pack(Read read) {
        long[] packed = new long[(read.length() + BASES_PER_WORD - 1) / BASES_PER_WORD];
        byte[] bases = read.bases().getBytes();
        for (int i = 0; i < read.length(); i++) {
            packed[i / BASES_PER_WORD] |= code(bases[i]) << (i % BASES_PER_WORD * BITS_PER_BASE);
        }
        return packed;
    }

    private static long code(byte base) {
        return switch (base) {
            case 'A', 'a' -> 1;
            case 'C', 'c' -> 2;
            case 'G', 'g' -> 3;
            case 'T', 't' -> 4;
            default -> UNKNOWN;
        };
    }

    long bytes() {
        return (long) Long.BYTES * (first.length + second.length);
    }

    /**
     * Whether two fragments differ in at most so many bases. A base that only the longer read has is a mismatch. Ends as soon as there
     * are more.
     */
    boolean within(PackedBases other, int mismatches) {
        int left = mismatches - different(first, other.first, mismatches);
        return left >= 0 && left >= different(second, other.second, left);
    }

    private static int different(long[] one, long[] other, int limit) {
        long[] shorter = one.length <= other.length ? one : other;
        long[] longer = one.length <= other.length ? other : one;
        int found = 0;
        for (int i = 0; i < longer.length && found <= limit; i++) {
            long bits = i < shorter.length ? shorter[i] ^ longer[i] : longer[i];
            long pairs = bits | bits >>> 2;
            found += Long.bitCount((pairs | pairs >>> 1) & LOWEST_BITS);
        }
        return found;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PackedBases bases
                && Arrays.equals(first, bases.first)
                && Arrays.equals(second, bases.second);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(first) + Arrays.hashCode(second);
    }
}
