package org.berth.mapreduce.runtime;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.io.DataInputBuffer;

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
    }
}
