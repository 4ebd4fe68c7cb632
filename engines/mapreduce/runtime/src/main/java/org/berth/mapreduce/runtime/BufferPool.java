package org.berth.mapreduce.runtime;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Buffers of one size with a bounded total. A part is set aside for the sort buffers of the worker threads, so that a task can
 * always go on; the rest holds sorted blocks until the reduces have read them. Thread-safe.
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
        long wanted = Math.min(runBytes, totalBytes / 2 / workers) / pageBytes;
        this.sortPages = (int) Math.max(1, Math.min(SortBuffer.MAX_PAGES - 2, wanted));
        this.blockLimit = Math.max(0, totalBytes - (long) workers * (sortPages + 1) * pageBytes);
    }

    int pageBytes() {
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

    Page leaseForSort() {
        sortBytes.addAndGet(pageBytes);
        return new Page(take());
    }

    /** A buffer for one record that fits into no page. It is not kept afterwards. */
    Page leaseHugeForSort(int bytes) {
        sortBytes.addAndGet(bytes);
        return new Page(new byte[bytes]);
    }

    void returnFromSort(Page page) {
        sortBytes.addAndGet(-page.data.length);
        keep(page.data);
    }

    /** Sets bytes aside for a block; false when there is no room. What is not used must be given back. */
    boolean reserve(long bytes) {
        if (blockBytes.addAndGet(bytes) <= blockLimit) {
            return true;
        }
        blockBytes.addAndGet(-bytes);
        return false;
    }

    void unreserve(long bytes) {
        blockBytes.addAndGet(-bytes);
    }

    /** A page for a block; a combiner may write more than it read, so this may exceed what was reserved. */
    Page leaseForBlock(int atLeast) {
        Page page = new Page(atLeast <= pageBytes ? take() : new byte[atLeast]);
        blockBytes.addAndGet(page.data.length);
        return page;
    }

    /** The last page of a block when less than half of it is used: a copy of its own size, so that small blocks stay small. */
    Page trimmed(Page page) {
        if (page.used * 2L > page.data.length) {
            return page;
        }
        Page small = new Page(java.util.Arrays.copyOf(page.data, page.used));
        small.used = page.used;
        blockBytes.addAndGet(small.data.length);
        returnFromBlock(page);
        return small;
    }

    void returnFromBlock(Page page) {
        blockBytes.addAndGet(-page.data.length);
        keep(page.data);
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
