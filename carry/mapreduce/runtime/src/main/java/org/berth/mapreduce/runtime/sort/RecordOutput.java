package org.berth.mapreduce.runtime.sort;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Pages that records are serialised into; a record that does not fit into what is left of a page moves to the next one.
 */
public final class RecordOutput extends OutputStream {
    private final PageSource source;
    private final List<Page> pages = new ArrayList<>();
    private byte[] data = new byte[0];
    private int position;
    private int first;
    private int lead;
    private int keyEnd;

    public RecordOutput(PageSource source) {
        this.source = source;
    }

    public List<Page> pages() {
        return pages;
    }

    public void begin() {
        begin(0);
    }

    /** Starts a record after this many bytes, which are not set. */
    public void begin(int leadBytes) {
        first = position;
        lead = leadBytes;
        ensure(leadBytes + Page.HEADER);
        position += leadBytes + Page.HEADER;
    }

    public void endOfKey() {
        keyEnd = position - first - lead;
    }

    public int keyStart() {
        return first + lead + Page.HEADER;
    }

    public int keyLength() {
        return keyEnd - Page.HEADER;
    }

    /** Completes the record and returns the length of key and value. */
    public int end() {
        int keyLength = keyLength();
        int valueLength = position - start() - keyEnd;
        Page.writeHeader(data, start(), keyLength, valueLength);
        last().used = position;
        return keyLength + valueLength;
    }

    /**
     * Forgets the key between {@link #endOfKey} and the value, which becomes the first one of a link. The record must
     * have had a lead.
     */
    void dropKey() {
        position = first + Page.LINK_HEADER + Page.VALUE_HEADER;
    }

    /** Returns the length of the value behind a key that was dropped. */
    int valueLength() {
        return position - first - Page.LINK_HEADER - Page.VALUE_HEADER;
    }

    /** Completes a link, with as many bytes for values as wanted and there are, and returns how many. */
    int endOfLink(int wantedBytes) {
        int values = Math.min(wantedBytes, data.length - first - Page.LINK_HEADER);
        position = first + Page.LINK_HEADER + values;
        last().used = position;
        return values;
    }

    /** Forgets what was written since {@link #begin}. */
    void drop() {
        position = first;
    }

    /** The start of the most recently completed record in the last page, after its lead. */
    public int start() {
        return first + lead;
    }

    /** The start of its lead. */
    int first() {
        return first;
    }

    Page last() {
        return pages.get(pages.size() - 1);
    }

    public byte[] data() {
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
    public List<Page> detach() {
        List<Page> result = new ArrayList<>(pages);
        pages.clear();
        data = new byte[0];
        position = 0;
        first = 0;
        return result;
    }

    private void ensure(int more) {
        if (more > data.length - position) {
            relocate(more);
        }
    }

    private void relocate(int more) {
        int length = position - first;
        long needed = (long) length + more;
        if (needed > Integer.MAX_VALUE - 16) {
            throw new IllegalStateException("a record of more than 2 GiB cannot be sorted: split its value");
        }
        long grown = needed <= source.pageBytes() ? needed : Math.max(needed, 2L * length);
        Page next = source.lease((int) Math.min(Integer.MAX_VALUE - 16, grown));
        System.arraycopy(data, first, next.data, 0, length);
        if (first == 0 && !pages.isEmpty()) {
            source.giveBack(pages.remove(pages.size() - 1));
        }
        pages.add(next);
        data = next.data;
        first = 0;
        position = length;
    }
}
