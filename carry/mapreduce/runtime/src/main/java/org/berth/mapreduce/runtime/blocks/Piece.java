package org.berth.mapreduce.runtime.blocks;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Whole records of one sorted segment, with what a receiver needs to put the segment together again. The bytes of a piece are
 * valid until the next one is asked for.
 */
public final class Piece {
    private final int map;
    private final int segment;
    private final int partition;
    private final long segmentRecords;
    private final byte[] data;
    private final int offset;
    private final int length;

    Piece(int map, int segment, int partition, long segmentRecords, byte[] data, int offset, int length) {
        this.map = map;
        this.segment = segment;
        this.partition = partition;
        this.segmentRecords = segmentRecords;
        this.data = data;
        this.offset = offset;
        this.length = length;
    }

    /** Returns the number of the reduce. */
    public int partition() {
        return partition;
    }

    int map() {
        return map;
    }

    int segment() {
        return segment;
    }

    long segmentRecords() {
        return segmentRecords;
    }

    byte[] data() {
        return data;
    }

    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    /** Writes the piece without its partition. */
    public void write(DataOutput out) throws IOException {
        out.writeInt(map);
        out.writeInt(segment);
        out.writeLong(segmentRecords);
        out.writeInt(length);
        out.write(data, offset, length);
    }

    /** Reads what {@link #write} wrote. */
    public static Piece read(DataInput in, int partition) throws IOException {
        int map = in.readInt();
        int segment = in.readInt();
        long records = in.readLong();
        byte[] data = new byte[in.readInt()];
        in.readFully(data);
        return new Piece(map, segment, partition, records, data, 0, data.length);
    }
}
