package org.berth.mapreduce.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Numbers of records by partition and bytes of their keys: an open hash table of a word for each key. */
final class KeyTable {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int NONE = -1;

    private final Keys keys;
    private long[] slots = new long[1 << 12];
    private int size;

    /** The records behind the numbers. */
    interface Keys {
        boolean hasKey(int number, int partition, byte[] data, int start, int length);
    }

    KeyTable(Keys keys) {
        this.keys = keys;
    }

    /** Returns the number of the record with this key, or -1 when it was not known; the new number stands for it then. */
    int findOrAdd(int partition, byte[] data, int start, int length, int newNumber) {
        int hash = hash(partition, data, start, length);
        int mask = slots.length - 1;
        int at = hash & mask;
        while (slots[at] != 0) {
            long slot = slots[at];
            if ((int) (slot >>> 32) == hash) {
                int number = (int) slot - 1;
                if (keys.hasKey(number, partition, data, start, length)) {
                    return number;
                }
            }
            at = (at + 1) & mask;
        }
        slots[at] = ((long) hash << 32) | (newNumber + 1);
        if (2 * ++size > slots.length) {
            grow();
        }
        return NONE;
    }

    void clear() {
        if (size > 0) {
            Arrays.fill(slots, 0);
            size = 0;
        }
    }

    private void grow() {
        long[] old = slots;
        slots = new long[2 * old.length];
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
    }

    private static int hash(int partition, byte[] data, int start, int length) {
        long hash = partition * 31L + length;
        int at = start;
        int end = start + length;
        for (; at + 8 <= end; at += 8) {
            hash = mixed(hash ^ (long) LONG.get(data, at));
        }
        if (at < end) {
            long word = 0;
            if (at + 8 <= data.length) {
                word = (long) LONG.get(data, at) & (-1L << (64 - 8 * (end - at)));
            } else {
                for (int i = at; i < end; i++) {
                    word |= (data[i] & 0xffL) << (56 - 8 * (i - at));
                }
            }
            hash = mixed(hash ^ word);
        }
        return (int) mixed(hash);
    }

    private static long mixed(long hash) {
        long product = hash * MULTIPLIER;
        return product ^ (product >>> 32);
    }
}
