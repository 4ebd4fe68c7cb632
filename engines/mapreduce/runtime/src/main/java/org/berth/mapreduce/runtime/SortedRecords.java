package org.berth.mapreduce.runtime;

import java.util.Arrays;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.util.Progress;

/**
 * A pass over the records of one partition of a sorted buffer: entry by entry, and behind each entry its chain. Where the
 * comparator calls keys equal that differ in their bytes, their records come in the order in which they were added.
 */
final class SortedRecords implements RecordSource {
    private final SortBuffer buffer;
    private final int to;
    private final DataInputBuffer key = new DataInputBuffer();
    private final DataInputBuffer value = new DataInputBuffer();
    private final Progress progress = new Progress();
    private int next;
    private int entry = -1;
    private long link;
    private byte[] keyData = new byte[0];
    private int keyStart;
    private int keyLength;
    private byte[] valueData = keyData;
    private int valueStart;
    private int valueLength;
    private Relation relation = Relation.UNKNOWN;
    /** Places with the number of their entry from the first tied one on, in order. */
    private long[] tied = new long[0];

    private int tiedNext;
    private int tiedCount;
    private int firstTied;

    SortedRecords(SortBuffer buffer, int from, int to) {
        this.buffer = buffer;
        this.next = from;
        this.to = to;
    }

    @Override
    public boolean next() {
        if (link != 0) {
            readChained(link);
            link = Page.link(valueData, SortBuffer.offsetOf(link));
            relation = Relation.IDENTICAL;
            return true;
        }
        if (tiedNext == tiedCount) {
            if (next == to) {
                return false;
            }
            relation = buffer.isTieUnmarked() ? Relation.UNKNOWN : Relation.DIFFERENT;
            if (!buffer.mayTie() || !collectTied()) {
                readEntry(next++);
                link = buffer.chain(entry);
                return true;
            }
        } else {
            relation = Relation.EQUAL;
        }
        long word = tied[tiedNext++];
        int former = entry;
        readEntry(firstTied + (int) (word & ((1 << SortBuffer.ENTRY_BITS) - 1)));
        if (former == entry) {
            relation = Relation.IDENTICAL;
        }
        long place = word >>> SortBuffer.ENTRY_BITS;
        if (place != buffer.placeOf(entry)) {
            readChained(place);
        }
        return true;
    }

    private void readEntry(int newEntry) {
        entry = newEntry;
        keyData = buffer.data(entry);
        int offset = buffer.offset(entry);
        keyStart = offset + Page.HEADER;
        keyLength = Page.keyLength(keyData, offset);
        valueData = keyData;
        valueStart = keyStart + keyLength;
        valueLength = Page.valueLength(keyData, offset);
    }

    private void readChained(long place) {
        valueData = buffer.dataAt(place);
        int offset = SortBuffer.offsetOf(place);
        valueStart = offset + Page.CHAINED_HEADER;
        valueLength = Page.chainedValueLength(valueData, offset);
    }

    /** Collects the records of all entries that are equal to the next one; false when it is alone. */
    private boolean collectTied() {
        int end = next + 1;
        while (end < to && buffer.isTie(end)) {
            end++;
        }
        if (end == next + 1) {
            return false;
        }
        firstTied = next;
        tiedNext = 0;
        tiedCount = 0;
        for (int i = next; i < end; i++) {
            addTied(buffer.placeOf(i), i);
            for (long place = buffer.chain(i);
                    place != 0;
                    place = Page.link(buffer.dataAt(place), SortBuffer.offsetOf(place))) {
                addTied(place, i);
            }
        }
        Arrays.sort(tied, 0, tiedCount);
        next = end;
        return true;
    }

    private void addTied(long place, int of) {
        if (tiedCount == tied.length) {
            tied = Arrays.copyOf(tied, Math.max(16, 2 * tiedCount));
        }
        tied[tiedCount++] = (place << SortBuffer.ENTRY_BITS) | (of - firstTied);
    }

    byte[] keyData() {
        return keyData;
    }

    int keyStart() {
        return keyStart;
    }

    int keyLength() {
        return keyLength;
    }

    byte[] valueData() {
        return valueData;
    }

    int valueStart() {
        return valueStart;
    }

    int valueLength() {
        return valueLength;
    }

    @Override
    public Relation relation() {
        return relation;
    }

    @Override
    public boolean keyStays() {
        return true;
    }

    @Override
    public DataInputBuffer getKey() {
        key.reset(keyData, keyStart, keyLength);
        return key;
    }

    @Override
    public DataInputBuffer getValue() {
        value.reset(valueData, valueStart, valueLength);
        return value;
    }

    @Override
    public Progress getProgress() {
        return progress;
    }

    @Override
    public void close() {}
}
