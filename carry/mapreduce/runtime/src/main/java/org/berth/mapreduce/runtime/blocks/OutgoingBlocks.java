package org.berth.mapreduce.runtime.blocks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.hadoop.io.DataInputBuffer;
import org.berth.mapreduce.runtime.sort.Page;
import org.jspecify.annotations.Nullable;

/**
 * The output of a map in pieces, partition by partition, for a transport that knows bytes only. A segment is released when its last
 * piece has been taken. For one thread.
 */
public final class OutgoingBlocks implements Iterator<Piece>, AutoCloseable {
    /** Small, so that receivers fill their buffers well, and large enough that a piece costs little. */
    private static final int PIECE_BYTES = 64 << 10;

    private final int map;
    private final MapOutput output;
    private final int partitions;
    private int partition;
    private int number = -1;
    private @Nullable Segment segment;
    private @Nullable Source source;
    private @Nullable Piece next;

    /** Pieces of one segment. */
    interface Source {
        /** Returns the next piece, or null after the last one. */
        @Nullable
        Piece next(int map, int number, int partition) throws IOException;

        void close() throws IOException;
    }

    /** Takes the output over. */
    public OutgoingBlocks(int map, MapOutput output) {
        this.map = map;
        this.output = output;
        this.partitions = output.partitions();
    }

    @Override
    public boolean hasNext() {
        try {
            while (next == null && partition < partitions) {
                advance();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return next != null;
    }

    private void advance() throws IOException {
        if (source != null) {
            next = source.next(map, number, partition);
            if (next == null) {
                closeSegment();
            }
            return;
        }
        List<Segment> segments = output.segments(partition);
        if (++number >= segments.size()) {
            number = -1;
            partition++;
            return;
        }
        Segment opened = segments.get(number);
        segment = opened;
        source = opened instanceof MemorySegment memory
                ? memory.pieces(PIECE_BYTES)
                : new RecordPieces(opened.open(), opened.records());
    }

    private void closeSegment() throws IOException {
        Source open = source;
        source = null;
        if (open != null) {
            open.close();
        }
        if (segment != null) {
            segment.release();
            segment = null;
        }
    }

    @Override
    public Piece next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Piece result = next;
        next = null;
        return java.util.Objects.requireNonNull(result);
    }

    /** Releases what was not taken. */
    @Override
    public void close() throws IOException {
        partition = partitions;
        next = null;
        try {
            closeSegment();
        } finally {
            output.release();
        }
    }

    /** Copies records of a file into pieces. */
    private static final class RecordPieces implements Source {
        private final Cursor cursor;
        private final long records;
        private final DataInputBuffer value = new DataInputBuffer();
        private byte[] data = new byte[PIECE_BYTES];

        RecordPieces(Cursor cursor, long records) {
            this.cursor = cursor;
            this.records = records;
        }

        private boolean pending;
        private boolean ended;

        @Override
        public @Nullable Piece next(int map, int number, int partition) throws IOException {
            int used = 0;
            while (!ended) {
                if (!pending && !cursor.next()) {
                    ended = true;
                    break;
                }
                pending = true;
                int keyLength = cursor.keyLength();
                int valueLength = cursor.valueLength();
                long size = (long) Page.HEADER + keyLength + valueLength;
                if (used > 0 && used + size > data.length) {
                    break;
                }
                if (size > data.length) {
                    data = new byte[Math.toIntExact(size)];
                }
                Page.writeHeader(data, used, keyLength, valueLength);
                System.arraycopy(cursor.keyBytes(), cursor.keyStart(), data, used + Page.HEADER, keyLength);
                cursor.value(value);
                System.arraycopy(
                        value.getData(), value.getPosition(), data, used + Page.HEADER + keyLength, valueLength);
                used += (int) size;
                pending = false;
            }
            return used == 0 ? null : new Piece(map, number, partition, records, data, 0, used);
        }

        @Override
        public void close() throws IOException {
            cursor.close();
        }
    }
}
