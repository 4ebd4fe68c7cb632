package org.berth.mapreduce.runtime.sort;

import java.util.Arrays;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.util.Progress;
import org.jspecify.annotations.Nullable;

/**
 * A pass over the records of one partition of a sorted buffer: entry by entry, and behind each entry its chain. Where the
 * comparator calls keys equal that differ in their bytes, their records come in the order in which they were added.
 */
public final class SortedRecords implements RecordSource {
    private final SortBuffer buffer;
    private final int to;
    private final DataInputBuffer key = new DataInputBuffer();
    private final DataInputBuffer value = new DataInputBuffer();
    private final Progress progress = new Progress();
    private int next;
    private int entry = -1;
    private final ValueChains.Reader chain;
    private byte[] keyData = new byte[0];
    private int keyStart;
    private int keyLength;
    private byte[] valueData = keyData;
    private int valueStart;
    private int valueLength;
    private Relation relation = Relation.UNKNOWN;
    /** Order of arrival and number of the entry from the first tied one on, for each record of tied entries. */
    private long[] tied = new long[0];

    /** A reader for each tied entry whose own record has been read. */
    private ValueChains.@Nullable Reader[] tiedChains = new ValueChains.Reader[0];

    private int tiedNext;
    private int tiedCount;
    private int firstTied;

    public SortedRecords(SortBuffer buffer, int from, int to) {
        this.buffer = buffer;
        this.chain = new ValueChains.Reader(buffer);
        this.next = from;
        this.to = to;
    }

    @Override
    public boolean next() {
        if (chain.next()) {
            readChained(chain);
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
                chain.open(buffer.chain(entry));
                return true;
            }
        } else {
            relation = Relation.EQUAL;
        }
        int tiedEntry = (int) tied[tiedNext++] & ((1 << SortBuffer.ENTRY_BITS) - 1);
        if (firstTied + tiedEntry == entry) {
            relation = Relation.IDENTICAL;
        }
        readEntry(firstTied + tiedEntry);
        ValueChains.Reader others = tiedChains[tiedEntry];
        if (others == null) {
            others = new ValueChains.Reader(buffer);
            others.open(buffer.chain(entry));
            tiedChains[tiedEntry] = others;
        } else if (others.next()) {
            readChained(others);
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

    private void readChained(ValueChains.Reader values) {
        valueData = values.data();
        valueStart = values.start();
        valueLength = values.length();
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
        ValueChains.Reader others = new ValueChains.Reader(buffer);
        for (int i = next; i < end; i++) {
            addTied(buffer.order(i), i);
            others.open(buffer.chain(i));
            while (others.next()) {
                addTied(others.number(), i);
            }
        }
        Arrays.sort(tied, 0, tiedCount);
        tiedChains = new ValueChains.Reader[end - next];
        next = end;
        return true;
    }

    private void addTied(long order, int of) {
        if (tiedCount == tied.length) {
            tied = Arrays.copyOf(tied, Math.max(16, 2 * tiedCount));
        }
        tied[tiedCount++] = (order << SortBuffer.ENTRY_BITS) | (of - firstTied);
    }

    public byte[] keyData() {
        return keyData;
    }

    public int keyStart() {
        return keyStart;
    }

    public int keyLength() {
        return keyLength;
    }

    public byte[] valueData() {
        return valueData;
    }

    public int valueStart() {
        return valueStart;
    }

    public int valueLength() {
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
