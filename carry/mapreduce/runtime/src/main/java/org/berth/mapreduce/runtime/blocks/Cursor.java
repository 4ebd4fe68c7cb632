package org.berth.mapreduce.runtime.blocks;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.io.DataInputBuffer;

/** A pass over the records of a segment, in order. The bytes of a record are valid until the next one, or longer. */
interface Cursor extends Closeable {
    boolean next() throws IOException;

    byte[] keyBytes();

    int keyStart();

    int keyLength();

    /** Makes the buffer read the value. */
    void value(DataInputBuffer buffer);

    int valueLength();

    /** Whether the bytes of all records stay as they are until the cursor is closed. */
    boolean stays();

    @Override
    default void close() throws IOException {}
}
