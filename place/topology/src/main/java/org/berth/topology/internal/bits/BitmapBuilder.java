package org.berth.topology.internal.bits;

import java.util.Arrays;

/** Collects members before the immutable bitmap exists. Used by one thread. */
public final class BitmapBuilder {
    private long[] words = new long[4];

    public BitmapBuilder add(int index) {
        return add(index, index);
    }

    /** Adds a range, both ends included. */
    public BitmapBuilder add(int from, int to) {
        int last = to >> 6;
        reserve(last + 1);
        int first = from >> 6;
        long firstMask = -1L << from;
        long lastMask = -1L >>> -(to + 1);
        if (first == last) {
            words[first] |= firstMask & lastMask;
        } else {
            words[first] |= firstMask;
            Arrays.fill(words, first + 1, last, -1L);
            words[last] |= lastMask;
        }
        return this;
    }

    /** Adds the members of a finite bitmap. */
    public BitmapBuilder add(Bitmap bits) {
        reserve(bits.wordCount());
        for (int i = 0; i < bits.wordCount(); i++) {
            words[i] |= bits.word(i);
        }
        return this;
    }

    public Bitmap build() {
        return Bitmap.of(words.clone(), false);
    }

    /** Adds all indexes from {@code from} on. */
    public Bitmap buildInfinite(int from) {
        int end = words.length << 6;
        add(from, Math.max(from, end - 1));
        add(from, (words.length << 6) - 1);
        return Bitmap.of(words.clone(), true);
    }

    private void reserve(int length) {
        if (length > words.length) {
            words = Arrays.copyOf(words, Math.max(length, words.length * 2));
        }
    }
}
