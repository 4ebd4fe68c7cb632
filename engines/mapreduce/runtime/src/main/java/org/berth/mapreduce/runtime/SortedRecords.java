package org.berth.mapreduce.runtime;

import org.apache.hadoop.io.DataInputBuffer;

/** A pass over the records of one partition of a sorted buffer. */
final class SortedRecords implements Cursor {
    private final SortBuffer buffer;
    private final int to;
    private int at;
    private byte[] data = new byte[0];
    private int offset;

    SortedRecords(SortBuffer buffer, int from, int to) {
        this.buffer = buffer;
        this.at = from;
        this.to = to;
    }

    @Override
    public boolean next() {
        if (at == to) {
            return false;
        }
        data = buffer.data(at);
        offset = buffer.offset(at++);
        return true;
    }

    @Override
    public byte[] keyBytes() {
        return data;
    }

    @Override
    public int keyStart() {
        return offset + Page.HEADER;
    }

    @Override
    public int keyLength() {
        return Page.keyLength(data, offset);
    }

    @Override
    public void value(DataInputBuffer into) {
        into.reset(data, offset + Page.HEADER + keyLength(), valueLength());
    }

    @Override
    public int valueLength() {
        return Page.valueLength(data, offset);
    }
}
