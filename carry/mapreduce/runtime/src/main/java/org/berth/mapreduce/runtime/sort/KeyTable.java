package org.berth.mapreduce.runtime.sort;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Entries of a sort buffer by partition and bytes of their keys: an open hash table of a word for each key. */
final class KeyTable {
    static final int NONE = -1;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int WORDS_BYTES = 16;

    private final Keys keys;
    private final SortIndex index;
    private int size;
    private long id;
    private long first;
    private long second;

    /** The records behind the entries. */
    interface Keys {
        /** Entries with a record; a later one belongs to a record that failed to be serialised. */
        int entries();

        /** Whether the key of an entry, of the same length, has the same bytes from this one on. */
        boolean hasBytes(int entry, int from, byte[] data, int start, int length);
    }

    /** @param index what holds the words of the keys, and the slots, all of them zero */
    KeyTable(Keys keys, SortIndex index) {
        this.keys = keys;
        this.index = index;
    }

    /** Returns the entry with this key, or -1 when it was not known; the new entry stands for it then. */
    int findOrAdd(int partition, byte[] data, int start, int length, int newEntry) {
        id = ((long) partition << 32) | length;
        first = word(data, start, length);
        second = length > 8 ? word(data, start + 8, length - 8) : 0;
        int hash = hash(data, start, length);
        long[] slots = index.slots;
        int mask = slots.length - 1;
        int at = hash & mask;
        while (slots[at] != 0) {
            long slot = slots[at];
            if ((int) (slot >>> 32) == hash && isKey((int) slot - 1, data, start, length)) {
                return (int) slot - 1;
            }
            at = (at + 1) & mask;
        }
        slots[at] = ((long) hash << 32) | (newEntry + 1);
        if (2 * ++size > slots.length) {
            grow();
        }
        return NONE;
    }

    private boolean isKey(int entry, byte[] data, int start, int length) {
        // The key of a record that failed to be serialised has a number that belongs to no record, or to another one.
        if (entry >= keys.entries()) {
            return false;
        }
        int at = SortIndex.KEY_WORDS * entry;
        long[] words = index.keys;
        return words[at] == id
                && words[at + 1] == first
                && words[at + 2] == second
                && (length <= WORDS_BYTES || keys.hasBytes(entry, WORDS_BYTES, data, start, length));
    }

    /** Notes the words of the key for which {@link #findOrAdd} was called last. */
    void note(int entry) {
        index.ensureKey(entry);
        int at = SortIndex.KEY_WORDS * entry;
        index.keys[at] = id;
        index.keys[at + 1] = first;
        index.keys[at + 2] = second;
    }

    /** Notes that an entry has a key that is not in the table. */
    void noteNoKey(int entry) {
        index.ensureKey(entry);
        index.keys[SortIndex.KEY_WORDS * entry] = -1;
    }

    void clear() {
        if (size > 0) {
            Arrays.fill(index.slots, 0);
            size = 0;
        }
    }

    private void grow() {
        long[] old = index.slots;
        long[] slots = new long[2 * old.length];
        int mask = slots.length - 1;
        for (long slot : old) {
            if (slot != 0) {
                int at = (int) (slot >>> 32) & mask;
                while (slots[at] != 0) {
                    at = (at + 1) & mask;
                }
                slots[at] = slot;
            }
        }
        index.replaceSlots(slots);
    }

    private int hash(byte[] data, int start, int length) {
        long hash = mixed(mixed(mixed(id) ^ first) ^ second);
        for (int at = WORDS_BYTES; at < length; at += 8) {
            hash = mixed(hash ^ word(data, start + at, length - at));
        }
        return (int) mixed(hash);
    }

    /** Returns up to eight bytes, with zeros behind them. */
    private static long word(byte[] data, int at, int left) {
        if (left >= 8) {
            return (long) LONG.get(data, at);
        }
        if (left == 0) {
            return 0;
        }
        if (at + 8 <= data.length) {
            return (long) LONG.get(data, at) & (-1L << (64 - 8 * left));
        }
        long word = 0;
        for (int i = 0; i < left; i++) {
            word |= (data[at + i] & 0xffL) << (56 - 8 * i);
        }
        return word;
    }

    private static long mixed(long hash) {
        long product = hash * MULTIPLIER;
        return product ^ (product >>> 32);
    }
}
