package org.berth.mapreduce.runtime.blocks;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.io.DataInputBuffer;
import org.berth.mapreduce.runtime.sort.BufferPool;
import org.berth.mapreduce.runtime.sort.Page;
import org.berth.mapreduce.runtime.sort.PageSource;
import org.jspecify.annotations.Nullable;

/** Records in pages, from a position in the first one on. */
final class MemorySegment implements Segment {
    private final BufferPool pool;
    private final List<Page> pages;
    private final int start;
    private final long records;
    private final long bytes;
    private final AtomicBoolean released = new AtomicBoolean();

    MemorySegment(BufferPool pool, List<Page> pages, int start, long records, long bytes) {
        this.pool = pool;
        this.pages = List.copyOf(pages);
        this.start = start;
        this.records = records;
        this.bytes = bytes;
        this.pages.forEach(page -> page.users.incrementAndGet());
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public long records() {
        return records;
    }

    @Override
    public boolean onDisk() {
        return false;
    }

    @Override
    public void release() {
        if (released.compareAndSet(false, true)) {
            for (Page page : pages) {
                if (page.users.decrementAndGet() == 0) {
                    pool.returnFromBlock(page);
                }
            }
        }
    }

    @Override
    public Cursor open() {
        if (released.get()) {
            throw new IllegalStateException("the block was released");
        }
        return new MemoryCursor();
    }

    /** The bytes as they are, cut between records. */
    OutgoingBlocks.Source pieces(int wanted) {
        return new PageSource(wanted);
    }

    private final class PageSource implements OutgoingBlocks.Source {
        private final int wanted;
        private int page;
        private int at = start;
        private long left = bytes;

        PageSource(int wanted) {
            this.wanted = wanted;
        }

        @Override
        public @Nullable Piece next(int map, int number, int partition) {
            while (left > 0 && at >= pages.get(page).used) {
                page++;
                at = 0;
            }
            if (left == 0) {
                return null;
            }
            byte[] data = pages.get(page).data;
            long limit = Math.min(pages.get(page).used, at + left);
            int from = at;
            while (at < limit) {
                int size = Page.HEADER + Page.keyLength(data, at) + Page.valueLength(data, at);
                if (at > from && at + size - from > wanted) {
                    break;
                }
                at += size;
            }
            left -= at - from;
            return new Piece(map, number, partition, records, data, from, at - from);
        }

        @Override
        public void close() {}
    }

    private final class MemoryCursor implements Cursor {
        private int page = -1;
        private long left = records;
        private byte[] data = new byte[0];
        private int limit;
        private int offset;
        private int keyLength;
        private int valueLength;

        @Override
        public boolean next() {
            if (left == 0) {
                return false;
            }
            left--;
            offset += page < 0 ? 0 : Page.HEADER + keyLength + valueLength;
            while (page < 0 || offset >= limit) {
                page++;
                data = pages.get(page).data;
                limit = pages.get(page).used;
                offset = page == 0 ? start : 0;
            }
            keyLength = Page.keyLength(data, offset);
            valueLength = Page.valueLength(data, offset);
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
            return keyLength;
        }

        @Override
        public void value(DataInputBuffer buffer) {
            buffer.reset(data, offset + Page.HEADER + keyLength, valueLength);
        }

        @Override
        public int valueLength() {
            return valueLength;
        }

        @Override
        public boolean stays() {
            return true;
        }
    }
}
