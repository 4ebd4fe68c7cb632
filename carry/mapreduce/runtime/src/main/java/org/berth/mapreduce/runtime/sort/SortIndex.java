package org.berth.mapreduce.runtime.sort;

import java.util.Arrays;

/** The arrays of a {@link SortBuffer}, which the pool keeps from task to task. One thread has it at a time. */
final class SortIndex {
    /** Words of an entry in {@link #keys}. */
    static final int KEY_WORDS = 4;

    private static final int FIRST_ENTRIES = 1 << 10;
    private static final int FIRST_SLOTS = 1 << 11;
    private static final int ENTRY_BYTES = 32;
    private static final int KEY_BYTES = 8 * KEY_WORDS + 8;

    long[] prefixes = new long[FIRST_ENTRIES];
    long[] records = new long[FIRST_ENTRIES];
    /** The second pair of arrays of a merge sort; made when it is needed, and counted before. */
    long[] otherPrefixes = new long[0];

    long[] otherRecords = new long[0];
    /**
     * Per entry whose key may come again: partition and length of the key, its first 16 bytes, and the end of its chain
     * (bytes that are free there, and their place). Most keys of texts are known by these words alone, which stay in
     * the caches of a core; in the pages, each comparison was a cache miss.
     */
    long[] keys = new long[KEY_WORDS * FIRST_ENTRIES];
    /** The place, per such entry, of its last link, or of its lead. */
    long[] links = new long[FIRST_ENTRIES];
    /** A hash table of the keys, empty between two runs. */
    long[] slots = new long[FIRST_SLOTS];

    private long bytes;

    /** Makes room for this entry, which follows the last one. */
    void ensure(int entry) {
        if (entry == prefixes.length) {
            prefixes = Arrays.copyOf(prefixes, 2 * entry);
            records = Arrays.copyOf(records, 2 * entry);
            count();
        }
    }

    /** Makes room for the key of this entry. */
    void ensureKey(int entry) {
        if (entry >= links.length) {
            keys = Arrays.copyOf(keys, 2 * keys.length);
            links = Arrays.copyOf(links, 2 * links.length);
            count();
        }
    }

    void ensureOther() {
        if (otherPrefixes.length < prefixes.length) {
            otherPrefixes = new long[prefixes.length];
            otherRecords = new long[prefixes.length];
        }
    }

    void replaceSlots(long[] larger) {
        slots = larger;
        count();
    }

    void swap() {
        long[] words = prefixes;
        prefixes = otherPrefixes;
        otherPrefixes = words;
        words = records;
        records = otherRecords;
        otherRecords = words;
    }

    /** Makes all arrays as small as those of a new index; the slots must be zero. */
    void reset() {
        prefixes = new long[FIRST_ENTRIES];
        records = new long[FIRST_ENTRIES];
        otherPrefixes = new long[0];
        otherRecords = new long[0];
        keys = new long[KEY_WORDS * FIRST_ENTRIES];
        links = new long[FIRST_ENTRIES];
        slots = new long[FIRST_SLOTS];
        count();
    }

    private void count() {
        bytes = (long) ENTRY_BYTES * (prefixes.length - FIRST_ENTRIES)
                + (long) KEY_BYTES * (links.length - FIRST_ENTRIES)
                + 8L * (slots.length - FIRST_SLOTS);
    }

    /**
     * Bytes of all arrays with this entry, which follows the last one. A buffer is full before they grow beyond its
     * size.
     */
    long bytesWith(int entry, boolean withKey) {
        long all = bytes;
        if (entry >= prefixes.length) {
            all += (long) ENTRY_BYTES * prefixes.length;
        }
        if (withKey && entry >= links.length) {
            all += (long) KEY_BYTES * links.length + 8L * slots.length;
        }
        return all;
    }

    /** Bytes of all arrays beyond those that each index has. */
    long bytes() {
        return bytes;
    }
}
