package org.berth.topology;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.BitSet;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.berth.topology.internal.bits.Bitmap;
import org.berth.topology.internal.bits.BitmapBuilder;
import org.berth.topology.internal.bits.BitmapText;

/**
 * An immutable set of the kernel's numbers of CPUs or of memory nodes, finite or infinite ("all from 4 on").
 *
 * <p>The two kinds are different types, so that a node number is never taken for a CPU number. Sets are values:
 * thread-safe, comparable, serializable, usable as keys. Indexes that are given to build a set lie between 0 and 1,048,575.
 * A loop over the members is {@code for (int cpu : cpus.toArray())}; sets are not Iterable, because each member would be
 * boxed, and because a type that is Iterable and Comparable is ambiguous for assertion libraries.
 *
 * @param <S> the kind of set itself
 * @since 0.1.0
 */
public abstract sealed class IndexSet<S extends IndexSet<S>> implements Comparable<S>, Serializable
        permits CpuSet, NodeSet {
    private static final long serialVersionUID = 1;

    /** {@link IndexSetForm} stands for it in a stream. */
    private final transient Bitmap bits;

    IndexSet(Bitmap bits) {
        this.bits = bits;
    }

    /** Called by Java's serialization. */
    final Object writeReplace() {
        return new IndexSetForm(this);
    }

    private void readObject(ObjectInputStream stream) throws InvalidObjectException {
        throw new InvalidObjectException("a set is read by its form alone");
    }

    abstract S make(Bitmap result);

    abstract S self();

    final Bitmap bits() {
        return bits;
    }

    private static Bitmap bitsOf(IndexSet<?> set) {
        return set.bits;
    }

    /** Whether the index is a member ({@code hwloc_bitmap_isset}); false for a negative one. */
    public final boolean contains(int index) {
        return bits.contains(index);
    }

    /** Whether there is no member ({@code hwloc_bitmap_iszero}). */
    public final boolean isEmpty() {
        return bits.isEmpty();
    }

    /** Whether every index is a member ({@code hwloc_bitmap_isfull}). */
    public final boolean isFull() {
        return bits.isInfinite() && bits.wordCount() == 0;
    }

    /** Whether all indexes from some index on are members; then {@code hwloc_bitmap_weight} and others give -1. */
    public final boolean isInfinite() {
        return bits.isInfinite();
    }

    /**
     * Number of members ({@code hwloc_bitmap_weight}).
     *
     * @throws IllegalStateException when the set is infinite
     */
    public final int size() {
        requireFinite("counted");
        return bits.size();
    }

    /** Smallest member, or -1 when empty ({@code hwloc_bitmap_first}). */
    public final int first() {
        return bits.next(-1);
    }

    /** Largest member, or -1 when empty or infinite ({@code hwloc_bitmap_last}). */
    public final int last() {
        return bits.last();
    }

    /** Smallest member greater than {@code previous} (start with -1), or -1 ({@code hwloc_bitmap_next}). */
    public final int next(int previous) {
        return bits.next(previous);
    }

    /** Smallest index that is no member, or -1 when every index is one ({@code hwloc_bitmap_first_unset}). */
    public final int firstUnset() {
        return bits.nextUnset(-1);
    }

    /** Largest index that is no member, or -1 when the set is finite or full ({@code hwloc_bitmap_last_unset}). */
    public final int lastUnset() {
        return bits.lastUnset();
    }

    /** Smallest index greater than {@code previous} that is no member, or -1 ({@code hwloc_bitmap_next_unset}). */
    public final int nextUnset(int previous) {
        return bits.nextUnset(previous);
    }

    /** Members of either ({@code hwloc_bitmap_or}). */
    public final S union(S other) {
        return make(bits.or(bitsOf(other)));
    }

    /** Members of both ({@code hwloc_bitmap_and}). */
    public final S intersection(S other) {
        return make(bits.and(bitsOf(other)));
    }

    /** Members of this set that the other one lacks ({@code hwloc_bitmap_andnot}). */
    public final S minus(S other) {
        return make(bits.andNot(bitsOf(other)));
    }

    /** Members of exactly one of the two ({@code hwloc_bitmap_xor}). */
    public final S symmetricDifference(S other) {
        return make(bits.xor(bitsOf(other)));
    }

    /** All indexes that are no members ({@code hwloc_bitmap_not}); infinite when this set is finite. */
    public final S complement() {
        return make(bits.not());
    }

    /** This set and one more member ({@code hwloc_bitmap_set}). */
    public final S with(int index) {
        requireIndex(index);
        return make(bits.with(index, true));
    }

    /** This set less one member ({@code hwloc_bitmap_clr}). */
    public final S without(int index) {
        requireIndex(index);
        return make(bits.with(index, false));
    }

    /** This set and all indexes from one to the other, both included ({@code hwloc_bitmap_set_range}). */
    public final S withRange(int from, int to) {
        return make(bits.or(bitsOf(from, to)));
    }

    /** This set less all indexes from one to the other, both included ({@code hwloc_bitmap_clr_range}). */
    public final S withoutRange(int from, int to) {
        return make(bits.andNot(bitsOf(from, to)));
    }

    /**
     * This set with another 64-bit word ({@code hwloc_bitmap_set_ith_ulong}; {@code hwloc_bitmap_from_ith_ulong} on an
     * empty set).
     *
     * @param index number of the word: 0 holds the indexes 0 to 63
     */
    public final S withWord(int index, long word) {
        requireWord(index);
        return make(bits.withWord(index, word));
    }

    /** One 64-bit word: 0 holds the indexes 0 to 63 ({@code hwloc_bitmap_to_ith_ulong}); also of infinite sets. */
    public final long word(int index) {
        requireWord(index);
        return bits.word(index);
    }

    /** Whether the two share a member ({@code hwloc_bitmap_intersects}). */
    public final boolean intersects(S other) {
        return bits.intersects(bitsOf(other));
    }

    /** Whether every member of the other one is a member ({@code hwloc_bitmap_isincluded}). */
    public final boolean containsAll(S other) {
        return bits.containsAll(bitsOf(other));
    }

    /** The set of the first member alone, or the empty set ({@code hwloc_bitmap_singlify}). */
    public final S singlify() {
        int first = first();
        return first < 0 ? self() : make(Bitmap.single(first));
    }

    /** Calls the action with every member, smallest first, without boxing. */
    public final void forEachIndex(IntConsumer action) {
        requireFinite("enumerated");
        for (int i = 0; i < bits.wordCount(); i++) {
            for (long word = bits.word(i); word != 0; word &= word - 1) {
                action.accept((i << 6) + Long.numberOfTrailingZeros(word));
            }
        }
    }

    /** The members, smallest first; IllegalStateException when the set is infinite. */
    public final IntStream stream() {
        return IntStream.of(toArray());
    }

    /** The members, smallest first; IllegalStateException when the set is infinite. */
    public final PrimitiveIterator.OfInt iterator() {
        requireFinite("enumerated");
        return new Members(bits);
    }

    /** The members, smallest first; IllegalStateException when the set is infinite. */
    public final int[] toArray() {
        int[] members = new int[size()];
        int count = 0;
        for (int i = 0; i < bits.wordCount(); i++) {
            for (long word = bits.word(i); word != 0; word &= word - 1) {
                members[count++] = (i << 6) + Long.numberOfTrailingZeros(word);
            }
        }
        return members;
    }

    /**
     * Little-endian 64-bit words without trailing zero words, as the kernel's system calls take them
     * ({@code hwloc_bitmap_to_ulongs}, {@code hwloc_bitmap_to_ulong}; their number is {@code hwloc_bitmap_nr_ulongs}).
     *
     * @throws IllegalStateException when the set is infinite
     */
    public final long[] toLongs() {
        requireFinite("turned into words");
        return bits.toLongs();
    }

    /** A copy as BitSet; IllegalStateException when the set is infinite. */
    public final BitSet toBitSet() {
        return BitSet.valueOf(toLongs());
    }

    /**
     * hwloc's mask form: {@code 0x0000000f}, {@code 0x00000001,,0x0}, infinite {@code 0xf...f}
     * ({@code hwloc_bitmap_snprintf}, {@code hwloc_bitmap_asprintf}).
     */
    public final String toMaskString() {
        return BitmapText.mask(bits);
    }

    /**
     * taskset's mask form, one number: {@code 0xf}, {@code 0x10000000000000000}, infinite {@code 0xf...f}
     * ({@code hwloc_bitmap_taskset_snprintf}, {@code hwloc_bitmap_taskset_asprintf}).
     */
    public final String toTasksetString() {
        return BitmapText.taskset(bits);
    }

    /** List form, as the kernel and taskset write it: {@code 0-3,8}; infinite {@code 4-}; the empty set is ""
     * ({@code hwloc_bitmap_list_snprintf}, {@code hwloc_bitmap_list_asprintf}). */
    @Override
    public final String toString() {
        return BitmapText.list(bits);
    }

    /** Orders by the largest member that only one of the two has ({@code hwloc_bitmap_compare}). */
    @Override
    public final int compareTo(S other) {
        return bits.compare(bitsOf(other));
    }

    /**
     * Orders by the smallest member, an empty set last ({@code hwloc_bitmap_compare_first}): less than, equal to or greater
     * than 0. Sets with the same smallest member are equal in this order.
     */
    public final int compareFirst(S other) {
        int mine = first();
        int theirs = bitsOf(other).next(-1);
        return Integer.compare(mine < 0 ? Integer.MAX_VALUE : mine, theirs < 0 ? Integer.MAX_VALUE : theirs);
    }

    /** Whether the other one is of the same kind and has the same members ({@code hwloc_bitmap_isequal}). */
    @Override
    public final boolean equals(Object object) {
        return object instanceof IndexSet<?> other && getClass() == other.getClass() && bits.equals(other.bits);
    }

    @Override
    public final int hashCode() {
        return bits.hashCode();
    }

    static Bitmap bitsOf(int... indexes) {
        if (indexes.length == 1) {
            requireIndex(indexes[0]);
            return Bitmap.single(indexes[0]);
        }
        BitmapBuilder builder = new BitmapBuilder();
        for (int index : indexes) {
            requireIndex(index);
            builder.add(index);
        }
        return builder.build();
    }

    static Bitmap bitsOf(int from, int to) {
        requireIndex(from);
        requireIndex(to);
        if (to < from) {
            throw new IllegalArgumentException("range " + from + "-" + to + " runs backwards");
        }
        return new BitmapBuilder().add(from, to).build();
    }

    static Bitmap bitsOf(long[] words) {
        if (words.length > (Bitmap.MAX_INDEX + 1) / 64) {
            throw new IllegalArgumentException(words.length + " words are more than " + (Bitmap.MAX_INDEX + 1) / 64);
        }
        return Bitmap.of(words, false);
    }

    private static void requireIndex(int index) {
        if (index < 0 || index > Bitmap.MAX_INDEX) {
            throw new IllegalArgumentException("index " + index + " is not between 0 and " + Bitmap.MAX_INDEX);
        }
    }

    private static void requireWord(int index) {
        if (index < 0 || index > Bitmap.MAX_INDEX >> 6) {
            throw new IllegalArgumentException("word " + index + " is not between 0 and " + (Bitmap.MAX_INDEX >> 6));
        }
    }

    private void requireFinite(String what) {
        if (bits.isInfinite()) {
            throw new IllegalStateException("infinite set " + this + " cannot be " + what);
        }
    }

    /** Takes one word at a time: half the time of a search from each member to the next. */
    private static final class Members implements PrimitiveIterator.OfInt {
        private final Bitmap bits;
        private int index;
        private long word;

        Members(Bitmap bits) {
            this.bits = bits;
            this.word = bits.word(0);
            skipEmptyWords();
        }

        private void skipEmptyWords() {
            while (word == 0 && ++index < bits.wordCount()) {
                word = bits.word(index);
            }
        }

        @Override
        public boolean hasNext() {
            return word != 0;
        }

        @Override
        public int nextInt() {
            if (word == 0) {
                throw new NoSuchElementException();
            }
            int result = (index << 6) + Long.numberOfTrailingZeros(word);
            word &= word - 1;
            if (word == 0) {
                skipEmptyWords();
            }
            return result;
        }
    }
}
