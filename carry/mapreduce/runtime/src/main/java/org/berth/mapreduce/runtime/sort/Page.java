package org.berth.mapreduce.runtime.sort;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A buffer of serialised records, one after the other: length of the key, length of the value (four bytes each), key, value. No
 * record crosses the end of a page; one that is larger than a page of the pool has a page of its own.
 */
public final class Page {
    public static final int HEADER = 8;

    /** In a sort buffer, before a record whose key may come again: place of the first link of its chain, and its number. */
    static final int LEAD = 12;

    /** In a sort buffer, values of a key that stands elsewhere: place of the next link, bytes for values, values. */
    static final int LINK_HEADER = 12;

    /** A value in a link: its length and the number of its record. A length of -1 ends a link that is not full. */
    static final int VALUE_HEADER = 8;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    public final byte[] data;

    /** Bytes in use; changed only by the thread that fills the page. */
    public int used;

    /** Segments that read from this page; the page is released with the last of them. */
    public final AtomicInteger users = new AtomicInteger();

    Page(byte[] data) {
        this.data = data;
    }

    public static int keyLength(byte[] data, int offset) {
        return (int) INT.get(data, offset);
    }

    public static int valueLength(byte[] data, int offset) {
        return (int) INT.get(data, offset + 4);
    }

    public static void writeHeader(byte[] data, int offset, int keyLength, int valueLength) {
        INT.set(data, offset, keyLength);
        INT.set(data, offset + 4, valueLength);
    }

    static long link(byte[] data, int offset) {
        return (long) LONG.get(data, offset);
    }

    static void writeLink(byte[] data, int offset, long link) {
        LONG.set(data, offset, link);
    }

    static int number(byte[] data, int offset) {
        return (int) INT.get(data, offset);
    }

    static void writeNumber(byte[] data, int offset, int number) {
        INT.set(data, offset, number);
    }
}
