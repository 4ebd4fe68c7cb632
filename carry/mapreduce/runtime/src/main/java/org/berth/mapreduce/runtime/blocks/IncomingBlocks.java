package org.berth.mapreduce.runtime.blocks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapred.JobConf;
import org.berth.mapreduce.runtime.sort.BufferPool;
import org.berth.mapreduce.runtime.sort.Page;
import org.jspecify.annotations.Nullable;

/**
 * The segments of one partition, put together from {@linkplain Piece pieces}: in pages while there is room, in a file after that.
 * Pieces of a segment come one after the other. For one thread.
 */
public final class IncomingBlocks {
    private final BufferPool pool;
    private final Configuration spillConf;
    private final @Nullable CompressionCodec codec;
    private final String name;
    private final List<Page> pages = new ArrayList<>();
    private final List<Received> received = new ArrayList<>();
    private @Nullable SpillFile file;
    private SpillFile.@Nullable SegmentWriter writer;
    private int map = -1;
    private int segment;
    private long expected;
    private long records;
    private long bytes;
    private int firstPage;
    private int firstOffset;

    /** A segment that is complete; the one in memory is made at the end, when its last page is known. */
    private record Received(
            int map,
            int segment,
            @Nullable Segment onDisk,
            int firstPage,
            int lastPage,
            int offset,
            long records,
            long bytes) {}

    /**
     * Receives for one attempt of a reduce.
     *
     * @param job tells how what goes to files is compressed
     * @param spillConf names the folders of the job for spill files
     * @param name of a spill file, unique on this host
     */
    public IncomingBlocks(BufferPool pool, JobConf job, Configuration spillConf, String name) {
        this.pool = pool;
        this.spillConf = spillConf;
        this.codec = MapCodec.of(job);
        this.name = name;
    }

    /** Takes a piece; its bytes are copied. */
    public void add(Piece piece) throws IOException {
        if (piece.map() != map || piece.segment() != segment) {
            endSegment();
            map = piece.map();
            segment = piece.segment();
            expected = piece.segmentRecords();
        }
        if (writer == null && !copied(piece)) {
            spill();
        }
        if (writer != null) {
            append(writer, piece.data(), piece.offset(), piece.length());
        }
        bytes += piece.length();
    }

    private boolean copied(Piece piece) {
        int length = piece.length();
        Page page = pages.isEmpty() ? null : pages.get(pages.size() - 1);
        if (page == null || page.data.length - page.used < length) {
            int wanted = Math.max(length, pool.pageBytes());
            BufferPool.Room room = pool.reserve(wanted);
            if (room == null) {
                return false;
            }
            page = room.lease(length);
            room.close();
            pages.add(page);
        }
        if (bytes == 0) {
            firstPage = pages.size() - 1;
            firstOffset = page.used;
        }
        System.arraycopy(piece.data(), piece.offset(), page.data, page.used, length);
        page.used += length;
        records += count(piece.data(), piece.offset(), length);
        return true;
    }

    private static long count(byte[] data, int offset, int length) {
        long count = 0;
        int at = offset;
        while (at < offset + length) {
            at += Page.HEADER + Page.keyLength(data, at) + Page.valueLength(data, at);
            count++;
        }
        return count;
    }

    /** Moves what has come of this segment to a file, where its other pieces follow. */
    private void spill() throws IOException {
        SpillFile open = file;
        if (open == null) {
            open = SpillFile.create(spillConf, codec, name, pool.pageBytes());
            file = open;
        }
        SpillFile.SegmentWriter started = open.start();
        writer = started;
        records = 0;
        if (bytes == 0) {
            return;
        }
        for (int i = firstPage; i < pages.size(); i++) {
            Page page = pages.get(i);
            int from = i == firstPage ? firstOffset : 0;
            append(started, page.data, from, page.used - from);
        }
        int keep = firstOffset == 0 ? firstPage : firstPage + 1;
        while (pages.size() > keep) {
            pool.returnFromBlock(pages.remove(pages.size() - 1));
        }
        if (firstOffset > 0) {
            pages.get(firstPage).used = firstOffset;
        }
    }

    private void append(SpillFile.SegmentWriter to, byte[] data, int offset, int length) throws IOException {
        int at = offset;
        while (at < offset + length) {
            int keyLength = Page.keyLength(data, at);
            int valueLength = Page.valueLength(data, at);
            int key = at + Page.HEADER;
            to.append(data, key, keyLength, data, key + keyLength, valueLength);
            at = key + keyLength + valueLength;
            records++;
        }
    }

    private void endSegment() throws IOException {
        if (map < 0) {
            return;
        }
        if (records != expected) {
            throw new IOException("a block of map " + map + " has " + records + " records instead of " + expected
                    + ": the shuffle lost or repeated a part of it");
        }
        SpillFile.SegmentWriter open = writer;
        writer = null;
        Segment onDisk = open == null ? null : open.close();
        received.add(new Received(map, segment, onDisk, firstPage, pages.size(), firstOffset, records, bytes));
        map = -1;
        records = 0;
        bytes = 0;
    }

    /** Hands over what came, in the order of the maps; the only output that the reduce of this partition reads. */
    public MapOutputs finish(int partition) throws IOException {
        endSegment();
        if (file != null) {
            file.close();
            file = null;
        }
        if (!pages.isEmpty()) {
            int last = pages.size() - 1;
            pages.set(last, pool.trimmed(pages.get(last)));
        }
        received.sort(Comparator.comparingInt(Received::map).thenComparingInt(Received::segment));
        MapOutput output = new MapOutput(partition + 1);
        for (Received one : received) {
            Segment disk = one.onDisk();
            output.segments(partition)
                    .add(
                            disk != null
                                    ? disk
                                    : new MemorySegment(
                                            pool,
                                            pages.subList(one.firstPage(), one.lastPage()),
                                            one.offset(),
                                            one.records(),
                                            one.bytes()));
        }
        pages.clear();
        received.clear();
        MapOutputs outputs = new MapOutputs(1);
        outputs.put(0, output);
        return outputs;
    }

    /** Releases everything after a failure; harmless after {@link #finish}. */
    public void abandon() {
        pages.forEach(pool::returnFromBlock);
        pages.clear();
        for (Received one : received) {
            Segment disk = one.onDisk();
            if (disk != null) {
                disk.release();
            }
        }
        received.clear();
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                // The folder of the job is removed with all that is in it.
            }
        }
    }
}
