package org.berth.mapreduce.runtime.blocks;

import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.berth.mapreduce.runtime.sort.BufferPool;
import org.berth.mapreduce.runtime.sort.Page;
import org.berth.mapreduce.runtime.sort.RecordOutput;
import org.jspecify.annotations.Nullable;

/**
 * Writes the segments of a run, partition by partition: to pages while there is room, and to a file from the record on
 * after which there is none.
 */
public final class BlockWriter {
    private final BufferPool pool;
    private final Files files;
    private final RecordOutput pages;
    private final DataOutputStream scratch;
    private final MapOutput output;
    private final BufferPool.Room room;
    private final List<Pending> pending = new ArrayList<>();
    private List<Page> blockPages = List.of();
    private @Nullable SpillFile file;
    private SpillFile.@Nullable SegmentWriter writer;
    private int partition;
    private long records;
    private long bytes;
    private int firstPage;
    private int firstOffset;
    private long spilledRecords;

    /** Makes the file of a run when it is needed. */
    public interface Files {
        SpillFile create() throws IOException;
    }

    /** A segment in the file, or a range of the pages. */
    private record Pending(
            int partition,
            @Nullable Segment segment,
            int firstPage,
            int lastPage,
            int offset,
            long records,
            long bytes) {}

    /**
     * Prepares a writer whose first file is opened when the records no longer fit into memory.
     *
     * @param room what is set aside in memory, or null to write to a file from the start
     */
    public BlockWriter(BufferPool pool, BufferPool.@Nullable Room room, Files files, MapOutput output)
            throws IOException {
        this.pool = pool;
        this.files = files;
        this.output = output;
        this.room = room == null ? pool.noRoom() : room;
        // A combiner serialises into pages, one record at a time when they go to a file.
        this.pages = new RecordOutput(this.room);
        this.scratch = new RecordStream(pages);
        if (room == null) {
            file = files.create();
        }
    }

    public void start(int newPartition) throws IOException {
        partition = newPartition;
        startSegment();
    }

    private void startSegment() throws IOException {
        records = 0;
        bytes = 0;
        firstPage = -1;
        if (file != null) {
            writer = file.start();
        }
    }

    /** A stream for a combiner's serializers, between {@link #beginRecord} and {@link #endRecord}. */
    public DataOutputStream stream() {
        return scratch;
    }

    public void beginRecord() {
        pages.begin();
    }

    public void endOfKey() {
        pages.endOfKey();
    }

    public void endRecord() throws IOException {
        int length = pages.end();
        records++;
        bytes += Page.HEADER + (long) length;
        if (writer != null) {
            int keyStart = pages.keyStart();
            int keyLength = pages.keyLength();
            byte[] data = pages.data();
            writer.append(data, keyStart, keyLength, data, keyStart + keyLength, length - keyLength);
            if (pages.pages().size() > 1 || data.length - keyStart < pool.pageBytes() / 2 || isHuge()) {
                pages.detach().forEach(pool::returnFromBlock);
            }
            return;
        }
        if (firstPage < 0) {
            firstPage = pages.pages().size() - 1;
            firstOffset = pages.start();
        }
        if (pool.isOverfull()) {
            continueInFile();
        }
    }

    private boolean isHuge() {
        return pages.data().length > pool.pageBytes();
    }

    private void continueInFile() throws IOException {
        endSegment();
        blockPages = pages.detach();
        file = files.create();
        startSegment();
    }

    /** Copies a record that is serialised already. */
    public void append(byte[] keyData, int keyStart, int keyLength, byte[] valueData, int valueStart, int valueLength)
            throws IOException {
        if (writer != null) {
            writer.append(keyData, keyStart, keyLength, valueData, valueStart, valueLength);
            records++;
            return;
        }
        pages.begin();
        pages.write(keyData, keyStart, keyLength);
        pages.endOfKey();
        pages.write(valueData, valueStart, valueLength);
        endRecord();
    }

    /** Ends the records of a partition; a segment without records is none. */
    public void end() throws IOException {
        endSegment();
    }

    private void endSegment() throws IOException {
        if (writer != null) {
            Segment segment = writer.close();
            writer = null;
            if (records > 0) {
                pending.add(new Pending(partition, segment, 0, 0, 0, records, segment.bytes()));
                spilledRecords += records;
            } else {
                segment.release();
            }
        } else if (records > 0) {
            pending.add(new Pending(partition, null, firstPage, pages.pages().size(), firstOffset, records, bytes));
        }
    }

    /** Records that went to the file. */
    public long spilledRecords() {
        return spilledRecords;
    }

    /** Hands the segments over. */
    public void finish() throws IOException {
        if (file == null) {
            blockPages = pages.detach();
        } else {
            pages.detach().forEach(pool::returnFromBlock);
            file.close();
            file = null;
        }
        room.close();
        List<Page> all = new ArrayList<>(blockPages);
        if (!all.isEmpty()) {
            int last = all.size() - 1;
            all.set(last, pool.trimmed(all.get(last)));
        }
        for (Pending part : pending) {
            Segment segment = part.segment();
            output.segments(part.partition())
                    .add(
                            segment != null
                                    ? segment
                                    : new MemorySegment(
                                            pool,
                                            all.subList(part.firstPage(), part.lastPage()),
                                            part.offset(),
                                            part.records(),
                                            part.bytes()));
        }
        pending.clear();
        blockPages = List.of();
    }

    /** Releases everything after a failure. */
    public void abandon() {
        pages.detach().forEach(pool::returnFromBlock);
        blockPages.forEach(pool::returnFromBlock);
        blockPages = List.of();
        room.close();
        for (Pending part : pending) {
            if (part.segment() != null) {
                part.segment().release();
            }
        }
        pending.clear();
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                // The failure that led here is reported; the folder of the job is removed with the file.
            }
            file = null;
        }
    }
}
