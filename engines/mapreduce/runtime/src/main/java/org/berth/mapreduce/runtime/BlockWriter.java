package org.berth.mapreduce.runtime;

import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.DataInputBuffer;
import org.jspecify.annotations.Nullable;

/** Writes the segments of a run, partition by partition, to pages or to a file. */
final class BlockWriter {
    private final BufferPool pool;
    private final @Nullable SpillFile file;
    private final RecordOutput pages;
    private final DataOutputStream scratch;
    private final DataInputBuffer key = new DataInputBuffer();
    private final DataInputBuffer value = new DataInputBuffer();
    private final MapOutput output;
    private final List<Pending> pending = new ArrayList<>();
    private SpillFile.@Nullable SegmentWriter writer;
    private long records;
    private long bytes;
    private int firstPage;
    private int firstOffset;

    private record Pending(int partition, int firstPage, int lastPage, int offset, long records, long bytes) {}

    /** Writes to memory when there is no file. The sink of a file's combiner needs pages for one record at a time. */
    BlockWriter(BufferPool pool, @Nullable SpillFile file, MapOutput output) {
        this.pool = pool;
        this.file = file;
        this.output = output;
        this.pages = new RecordOutput(pool, false);
        this.scratch = new DataOutputStream(pages);
    }

    void start() throws IOException {
        records = 0;
        bytes = 0;
        firstPage = -1;
        if (file != null) {
            writer = file.start();
        }
    }

    /** For a combiner's serializers; between {@link #beginRecord} and {@link #endRecord}. */
    DataOutputStream stream() {
        return scratch;
    }

    void beginRecord() {
        pages.begin();
    }

    void endOfKey() {
        pages.endOfKey();
    }

    void endRecord() throws IOException {
        pages.end();
        byte[] data = pages.data();
        int at = pages.start();
        int keyLength = Page.keyLength(data, at);
        int valueLength = Page.valueLength(data, at);
        if (writer != null) {
            int keyStart = at + Page.HEADER;
            writer.append(data, keyStart, keyLength, keyStart + keyLength, valueLength);
            if (pages.pages().size() > 1 || data.length - at < pool.pageBytes() / 2) {
                pages.detach().forEach(pool::returnFromBlock);
            }
        } else {
            if (firstPage < 0) {
                firstPage = pages.pages().size() - 1;
                firstOffset = at;
            }
        }
        records++;
        bytes += Page.HEADER + (long) keyLength + valueLength;
    }

    /** Copies a record that is serialised in one piece. */
    void append(byte[] data, int keyStart, int keyLength, int valueStart, int valueLength) throws IOException {
        if (writer != null) {
            key.reset(data, keyStart, keyLength);
            value.reset(data, valueStart, valueLength);
            writer.append(key, value);
            records++;
            return;
        }
        pages.begin();
        pages.write(data, keyStart, keyLength);
        pages.endOfKey();
        pages.write(data, valueStart, valueLength);
        endRecord();
    }

    /** Ends the segment of a partition; one without records is none. */
    void end(int partition) throws IOException {
        if (writer != null) {
            Segment segment = writer.close();
            writer = null;
            if (records > 0) {
                output.segments(partition).add(segment);
                bytesWritten += segment.bytes();
            } else {
                segment.release();
            }
        } else if (records > 0) {
            pending.add(new Pending(partition, firstPage, pages.pages().size(), firstOffset, records, bytes));
            bytesWritten += bytes;
        }
        recordsWritten += records;
    }

    private long bytesWritten;
    private long recordsWritten;

    long bytesWritten() {
        return bytesWritten;
    }

    long recordsWritten() {
        return recordsWritten;
    }

    /** Hands the segments in memory over. */
    void finish() {
        List<Page> all = pages.detach();
        if (file != null) {
            all.forEach(pool::returnFromBlock);
            return;
        }
        if (!all.isEmpty()) {
            int last = all.size() - 1;
            all.set(last, pool.trimmed(all.get(last)));
        }
        for (Pending segment : pending) {
            output.segments(segment.partition())
                    .add(new MemorySegment(
                            pool,
                            all.subList(segment.firstPage(), segment.lastPage()),
                            segment.offset(),
                            segment.records(),
                            segment.bytes()));
        }
    }

    /** Gives everything back after a failure. */
    void abandon() {
        pages.detach().forEach(pool::returnFromBlock);
        pending.clear();
    }
}
