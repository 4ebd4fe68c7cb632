package org.berth.mapreduce.runtime;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** Pages that records are serialised into; a record that does not fit into what is left of a page moves to the next one. */
final class RecordOutput extends OutputStream {
    private final BufferPool pool;
    private final boolean sorting;
    private final List<Page> pages = new ArrayList<>();
    private byte[] data = new byte[0];
    private int position;
    private int start;
    private int keyEnd;

    RecordOutput(BufferPool pool, boolean sorting) {
        this.pool = pool;
        this.sorting = sorting;
    }

    List<Page> pages() {
        return pages;
    }

    void begin() {
        start = position;
        ensure(Page.HEADER);
        position += Page.HEADER;
    }

    void endOfKey() {
        keyEnd = position - start;
    }

    /** Completes the record and returns the length of key and value. */
    int end() {
        int keyLength = keyEnd - Page.HEADER;
        int valueLength = position - start - keyEnd;
        Page.writeHeader(data, start, keyLength, valueLength);
        last().used = position;
        return keyLength + valueLength;
    }

    /** Where the record that was completed last starts in the last page. */
    int start() {
        return start;
    }

    Page last() {
        return pages.get(pages.size() - 1);
    }

    byte[] data() {
        return data;
    }

    @Override
    public void write(int b) throws IOException {
        ensure(1);
        data[position++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        ensure(length);
        System.arraycopy(bytes, offset, data, position, length);
        position += length;
    }

    /** Forgets the pages, which belong to another now. */
    List<Page> detach() {
        List<Page> result = new ArrayList<>(pages);
        pages.clear();
        data = new byte[0];
        position = 0;
        start = 0;
        return result;
    }

    private void ensure(int more) {
        if (more > data.length - position) {
            relocate(more);
        }
    }

    private void relocate(int more) {
        int length = position - start;
        long needed = (long) length + more;
        if (needed > Integer.MAX_VALUE - 16) {
            throw new IllegalStateException("a record of more than 2 GiB cannot be sorted: split its value");
        }
        Page next;
        if (needed <= pool.pageBytes()) {
            next = sorting ? pool.leaseForSort() : pool.leaseForBlock((int) needed);
        } else {
            int size = (int) Math.min(Integer.MAX_VALUE - 16, Math.max(needed, 2L * length));
            next = sorting ? pool.leaseHugeForSort(size) : pool.leaseForBlock(size);
        }
        System.arraycopy(data, start, next.data, 0, length);
        if (start == 0 && !pages.isEmpty()) {
            Page outgrown = pages.remove(pages.size() - 1);
            if (sorting) {
                pool.returnFromSort(outgrown);
            } else {
                pool.returnFromBlock(outgrown);
            }
        }
        pages.add(next);
        data = next.data;
        start = 0;
        position = length;
    }
}
