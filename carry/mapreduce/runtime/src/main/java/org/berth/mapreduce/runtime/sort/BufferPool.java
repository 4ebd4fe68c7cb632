package org.berth.mapreduce.runtime.sort;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Buffers of one size with a bounded total. A part is set aside for the sort buffers of the worker threads, so that a
 * task can always go on; the rest holds sorted blocks until the reduces have read them. Thread-safe.
 */
public final class BufferPool {
    private final int pageBytes;
    private final int sortPages;
    private final long blockLimit;
    private final long totalBytes;
    private final ConcurrentLinkedDeque<byte[]> free = new ConcurrentLinkedDeque<>();
    private final AtomicLong freeBytes = new AtomicLong();
    private final AtomicLong sortBytes = new AtomicLong();
    private final AtomicLong blockBytes = new AtomicLong();
    private final PageSource sortSource = new SortSource();
    private final int workers;
    private final ConcurrentLinkedDeque<SortIndex> indexes = new ConcurrentLinkedDeque<>();

    /**
     * Allocates nothing yet.
     *
     * @param totalBytes bound of all buffers; at least three buffers for each worker are used all the same
     * @param pageBytes size of a buffer
     * @param workers threads that sort at the same time
     * @param runBytes wanted size of a sort buffer; at most half of the total is used for all of them
     */
    public BufferPool(long totalBytes, int pageBytes, int workers, long runBytes) {
        if (pageBytes < 64 || workers < 1 || totalBytes < 1 || runBytes < 1) {
            throw new IllegalArgumentException("a pool needs buffers of at least 64 bytes, a total and a worker");
        }
        this.pageBytes = pageBytes;
        this.totalBytes = totalBytes;
        this.workers = workers;
        long wanted = Math.min(runBytes, totalBytes / 2 / workers) / pageBytes;
        this.sortPages = (int) Math.max(1, Math.min(SortBuffer.MAX_PAGES / 2 - 2, wanted));
        this.blockLimit = Math.max(0, totalBytes - (long) workers * (sortPages + 1) * pageBytes);
    }

    public int pageBytes() {
        return pageBytes;
    }

    /** Pages after which a sort buffer is full. */
    int sortPages() {
        return sortPages;
    }

    /** Bytes that are leased now. */
    public long leasedBytes() {
        return sortBytes.get() + blockBytes.get();
    }

    /** Bytes of blocks for which there is room; they spill otherwise. */
    public long blockLimit() {
        return blockLimit;
    }

    /** Pages for sort buffers. One for a record that fits into no page of the pool is not kept afterwards. */
    PageSource sortSource() {
        return sortSource;
    }

    private final class SortSource implements PageSource {
        @Override
        public int pageBytes() {
            return pageBytes;
        }

        @Override
        public Page lease(int atLeast) {
            Page page = new Page(atLeast <= pageBytes ? take() : new byte[atLeast]);
            sortBytes.addAndGet(page.data.length);
            return page;
        }

        @Override
        public void giveBack(Page page) {
            sortBytes.addAndGet(-page.data.length);
            keep(page.data);
        }
    }

    /**
     * Sets bytes aside for the pages of a block; null when there is no room. What is not used is given back by closing.
     */
    @Nullable
    public Room reserve(long bytes) {
        if (blockBytes.addAndGet(bytes) <= blockLimit) {
            return new Room(bytes);
        }
        blockBytes.addAndGet(-bytes);
        return null;
    }

    /** Whether blocks take more than they may. A thread that finds this after a record continues in a file. */
    public boolean isOverfull() {
        return blockBytes.get() > blockLimit;
    }

    /** Nothing set aside: what is leased counts at once. */
    public Room noRoom() {
        return new Room(0);
    }

    /** Bytes set aside for one thread. What it leases beyond them counts at once, and shows in {@link #isOverfull}. */
    public final class Room implements PageSource {
        private long left;

        private Room(long bytes) {
            left = bytes;
        }

        @Override
        public int pageBytes() {
            return pageBytes;
        }

        @Override
        public Page lease(int atLeast) {
            Page page = new Page(atLeast <= pageBytes ? take() : new byte[atLeast]);
            long covered = Math.min(left, page.data.length);
            left -= covered;
            blockBytes.addAndGet(page.data.length - covered);
            return page;
        }

        @Override
        public void giveBack(Page page) {
            returnFromBlock(page);
        }

        public void close() {
            blockBytes.addAndGet(-left);
            left = 0;
        }
    }

    /**
     * The last page of a block when less than half of it is used: a copy of its own size, so that small blocks stay
     * small.
     */
    public Page trimmed(Page page) {
        if (page.used * 2L > page.data.length) {
            return page;
        }
        Page small = new Page(java.util.Arrays.copyOf(page.data, page.used));
        small.used = page.used;
        blockBytes.addAndGet(small.data.length);
        returnFromBlock(page);
        return small;
    }

    public void returnFromBlock(Page page) {
        blockBytes.addAndGet(-page.data.length);
        keep(page.data);
    }

    /** Lends an index for a sort buffer. */
    SortIndex takeIndex() {
        SortIndex kept = indexes.pollLast();
        return kept == null ? new SortIndex() : kept;
    }

    /** Keeps an index for the next task, unless it is large compared with the records of a sort buffer. */
    void giveBack(SortIndex index) {
        if (index.bytes() <= (long) sortPages * pageBytes / 2 && indexes.size() < workers) {
            indexes.addLast(index);
        }
    }

    private byte[] take() {
        byte[] kept = free.pollLast();
        if (kept == null) {
            return new byte[pageBytes];
        }
        freeBytes.addAndGet(-pageBytes);
        return kept;
    }

    private void keep(byte[] data) {
        if (data.length == pageBytes && freeBytes.get() + leasedBytes() + pageBytes <= totalBytes) {
            freeBytes.addAndGet(pageBytes);
            free.addLast(data);
        }
    }
}
