package org.berth.mapreduce.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A buffer of serialised records, one after the other: length of the key, length of the value (four bytes each), key, value. No
 * record crosses the end of a page; one that is larger than a page of the pool has a page of its own.
 */
final class Page {
    static final int HEADER = 8;

    /** In a sort buffer, a link precedes a record whose key may come again. */
    static final int LINK = 8;

    /** In a sort buffer, a record whose key stands elsewhere: link, length of the value, value. */
    static final int CHAINED_HEADER = LINK + 4;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    final byte[] data;

    /** Bytes in use; changed only by the thread that fills the page. */
    int used;

    /** Segments that read from this page; the last one to be released gives it back. */
    final AtomicInteger users = new AtomicInteger();

    Page(byte[] data) {
        this.data = data;
    }

    static int keyLength(byte[] data, int offset) {
        return (int) INT.get(data, offset);
    }

    static int valueLength(byte[] data, int offset) {
        return (int) INT.get(data, offset + 4);
    }

    static void writeHeader(byte[] data, int offset, int keyLength, int valueLength) {
        INT.set(data, offset, keyLength);
        INT.set(data, offset + 4, valueLength);
    }

    static long link(byte[] data, int offset) {
        return (long) LONG.get(data, offset);
    }

    static void writeLink(byte[] data, int offset, long link) {
        LONG.set(data, offset, link);
    }

    static int chainedValueLength(byte[] data, int offset) {
        return (int) INT.get(data, offset + LINK);
    }

    static void writeChainedValueLength(byte[] data, int offset, int length) {
        INT.set(data, offset + LINK, length);
    }
}
