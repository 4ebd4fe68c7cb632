package org.berth.topology.internal.bits;

import java.util.Arrays;

/**
 * Immutable bits 0, 1, 2, … of which all from some bit on may be set (an infinite set). Two equal sets have equal
 * fields: the words end with one that differs from the fill, so algebra, equality and hashing need no special cases.
 */
public final class Bitmap {
    /** Linux knows at most 8,192 CPUs; the limit only keeps hostile input from taking memory. */
    public static final int MAX_INDEX = (1 << 20) - 1;

    private static final long[] NO_WORDS = {};
    public static final Bitmap EMPTY = new Bitmap(NO_WORDS, 0);
    public static final Bitmap FULL = new Bitmap(NO_WORDS, -1);

    private final long[] words;
    /** Every word behind the last one: 0, or -1 for an infinite set. */
    private final long fill;

    private Bitmap(long[] words, long fill) {
        this.words = words;
        this.fill = fill;
    }

    /** Takes the array over; the caller must not write to it any more. */
    public static Bitmap of(long[] words, boolean infinite) {
        long fill = infinite ? -1 : 0;
        int length = words.length;
        while (length > 0 && words[length - 1] == fill) {
            length--;
        }
        if (length == 0) {
            return infinite ? FULL : EMPTY;
        }
        return new Bitmap(length == words.length ? words : Arrays.copyOf(words, length), fill);
    }

    public boolean contains(int index) {
        int word = index >> 6;
        if (word >= words.length) {
            return fill != 0;
        }
        return index >= 0 && (words[word] >>> index & 1) != 0;
    }

    public boolean isEmpty() {
        return words.length == 0 && fill == 0;
    }

    public boolean isInfinite() {
        return fill != 0;
    }

    public int wordCount() {
        return words.length;
    }

    public long word(int index) {
        return index < words.length ? words[index] : fill;
    }

    /** Members among the stored words: the size of a finite set. */
    public int size() {
        int size = 0;
        for (long word : words) {
            size += Long.bitCount(word);
        }
        return size;
    }

    /** Smallest member greater than {@code previous}, or -1. */
    public int next(int previous) {
        int from = previous + 1;
        if (from < 0) {
            return -1;
        }
        int index = from >> 6;
        if (index < words.length) {
            long word = words[index] & -1L << from;
            while (true) {
                if (word != 0) {
                    return (index << 6) + Long.numberOfTrailingZeros(word);
                }
                if (++index == words.length) {
                    break;
                }
                word = words[index];
            }
        }
        return fill == 0 ? -1 : Math.max(from, words.length << 6);
    }

    /** Smallest index greater than {@code previous} that is no member, or -1 when all are. */
    public int nextUnset(int previous) {
        int from = previous + 1;
        if (from < 0) {
            return -1;
        }
        for (int index = from >> 6; index < words.length; index++) {
            long unset = ~words[index] & (index == from >> 6 ? -1L << from : -1L);
            if (unset != 0) {
                return (index << 6) + Long.numberOfTrailingZeros(unset);
            }
        }
        return fill != 0 ? -1 : Math.max(from, words.length << 6);
    }

    /** Largest index that is no member, or -1 when there is none or no largest one. */
    public int lastUnset() {
        if (fill == 0 || words.length == 0) {
            return -1;
        }
        return (words.length << 6) - 1 - Long.numberOfLeadingZeros(~words[words.length - 1]);
    }

    public int last() {
        if (fill != 0 || words.length == 0) {
            return -1;
        }
        return (words.length << 6) - 1 - Long.numberOfLeadingZeros(words[words.length - 1]);
    }

    // The finite cases run on plain loops over fresh arrays: for the few words of a real machine this is faster than
    // copying first.

    public Bitmap and(Bitmap other) {
        if (fill == 0 && other.fill == 0) {
            int length = Math.min(words.length, other.words.length);
            while (length > 0 && (words[length - 1] & other.words[length - 1]) == 0) {
                length--;
            }
            if (length == 0) {
                return EMPTY;
            }
            long[] result = new long[length];
            for (int i = 0; i < length; i++) {
                result[i] = words[i] & other.words[i];
            }
            return new Bitmap(result, 0);
        }
        long[] result = new long[Math.max(words.length, other.words.length)];
        for (int i = 0; i < result.length; i++) {
            result[i] = word(i) & other.word(i);
        }
        return of(result, (fill & other.fill) != 0);
    }

    public Bitmap or(Bitmap other) {
        if (fill == 0 && other.fill == 0) {
            boolean longer = words.length >= other.words.length;
            long[] a = longer ? words : other.words;
            long[] b = longer ? other.words : words;
            if (b.length == 0) {
                return longer ? this : other;
            }
            long[] result = new long[a.length];
            for (int i = 0; i < b.length; i++) {
                result[i] = a[i] | b[i];
            }
            for (int i = b.length; i < a.length; i++) {
                result[i] = a[i];
            }
            return new Bitmap(result, 0);
        }
        long[] result = new long[Math.max(words.length, other.words.length)];
        for (int i = 0; i < result.length; i++) {
            result[i] = word(i) | other.word(i);
        }
        return of(result, true);
    }

    public Bitmap andNot(Bitmap other) {
        if (other.isEmpty()) {
            return this;
        }
        if (fill == 0 && other.fill == 0) {
            int common = Math.min(words.length, other.words.length);
            long[] result = new long[words.length];
            for (int i = 0; i < common; i++) {
                result[i] = words[i] & ~other.words[i];
            }
            for (int i = common; i < words.length; i++) {
                result[i] = words[i];
            }
            return of(result, false);
        }
        long[] result = new long[Math.max(words.length, other.words.length)];
        for (int i = 0; i < result.length; i++) {
            result[i] = word(i) & ~other.word(i);
        }
        return of(result, (fill & ~other.fill) != 0);
    }

    public Bitmap xor(Bitmap other) {
        long[] result = new long[Math.max(words.length, other.words.length)];
        for (int i = 0; i < result.length; i++) {
            result[i] = word(i) ^ other.word(i);
        }
        return of(result, (fill ^ other.fill) != 0);
    }

    public Bitmap not() {
        long[] result = new long[words.length];
        for (int i = 0; i < result.length; i++) {
            result[i] = ~words[i];
        }
        return of(result, fill == 0);
    }

    public Bitmap with(int index, boolean member) {
        if (contains(index) == member) {
            return this;
        }
        int word = index >> 6;
        if (word < words.length) {
            long[] result = words.clone();
            result[word] ^= 1L << index;
            return of(result, fill != 0);
        }
        long[] result = Arrays.copyOf(words, word + 1);
        Arrays.fill(result, words.length, word + 1, fill);
        result[word] ^= 1L << index;
        return new Bitmap(result, fill);
    }

    /** The set of one member. */
    public static Bitmap single(int index) {
        long[] words = new long[(index >> 6) + 1];
        words[index >> 6] = 1L << index;
        return new Bitmap(words, 0);
    }

    public boolean intersects(Bitmap other) {
        int common = Math.min(words.length, other.words.length);
        for (int i = 0; i < common; i++) {
            if ((words[i] & other.words[i]) != 0) {
                return true;
            }
        }
        if (fill == 0 && other.fill == 0) {
            return false;
        }
        for (int i = common; i < Math.max(words.length, other.words.length); i++) {
            if ((word(i) & other.word(i)) != 0) {
                return true;
            }
        }
        return (fill & other.fill) != 0;
    }

    public boolean containsAll(Bitmap other) {
        if ((other.fill & ~fill) != 0) {
            return false;
        }
        int length = other.fill == 0 ? other.words.length : Math.max(words.length, other.words.length);
        for (int i = 0; i < length; i++) {
            if ((other.word(i) & ~word(i)) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Orders by the largest member that only one of the two has, as hwloc_bitmap_compare. */
    public int compare(Bitmap other) {
        if (fill != other.fill) {
            return fill == 0 ? -1 : 1;
        }
        for (int i = Math.max(words.length, other.words.length) - 1; i >= 0; i--) {
            int order = Long.compareUnsigned(word(i), other.word(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** A copy in which one of the 64-bit words is another. */
    public Bitmap withWord(int index, long word) {
        long[] result = Arrays.copyOf(words, Math.max(words.length, index + 1));
        Arrays.fill(result, words.length, result.length, fill);
        result[index] = word;
        return of(result, fill != 0);
    }

    public long[] toLongs() {
        return words.clone();
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof Bitmap other && fill == other.fill && Arrays.equals(words, other.words);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(words) + (int) fill;
    }
}
