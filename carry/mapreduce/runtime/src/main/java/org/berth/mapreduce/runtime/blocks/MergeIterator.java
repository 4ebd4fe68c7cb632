package org.berth.mapreduce.runtime.blocks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.util.Progress;
import org.berth.mapreduce.runtime.sort.KeyPrefix;
import org.berth.mapreduce.runtime.sort.KeyPrefixes;
import org.berth.mapreduce.runtime.sort.RecordSource;
import org.jspecify.annotations.Nullable;

/** The records of sorted cursors in order. Equal keys come in the order of their cursors. */
public final class MergeIterator implements RecordSource {
    private final RawComparator<?> comparator;
    private final KeyPrefix keyPrefix;
    private final List<Cursor> cursors;
    private final Entry[] heap;
    private final Progress progress = new Progress();
    private final DataInputBuffer key = new DataInputBuffer();
    private final DataInputBuffer value = new DataInputBuffer();
    private final long records;
    /** Progress is told at most some 500 times, and after each record of a small input, as programs see it from Hadoop. */
    private final long untold;

    private long seen;
    private int size;
    private @Nullable Entry current;
    private Relation relation = Relation.UNKNOWN;

    private static final class Entry {
        private final Cursor cursor;
        private final int order;
        private long prefix;

        Entry(Cursor cursor, int order) {
            this.cursor = cursor;
            this.order = order;
        }
    }

    private MergeIterator(RawComparator<?> comparator, List<Cursor> cursors, long records) throws IOException {
        this.comparator = comparator;
        this.keyPrefix = KeyPrefixes.of(comparator);
        this.cursors = cursors;
        this.records = records;
        this.untold = Long.highestOneBit(Math.max(1, records >> 8)) - 1;
        this.heap = new Entry[cursors.size()];
        for (int i = 0; i < heap.length; i++) {
            Entry entry = new Entry(cursors.get(i), i);
            if (advance(entry)) {
                heap[size++] = entry;
            }
        }
        for (int i = size / 2 - 1; i >= 0; i--) {
            sink(heap[i], i);
        }
    }

    public static MergeIterator open(RawComparator<?> comparator, List<Segment> segments) throws IOException {
        List<Cursor> cursors = new ArrayList<>();
        long records = 0;
        try {
            for (Segment segment : segments) {
                cursors.add(segment.open());
                records += segment.records();
            }
            return new MergeIterator(comparator, cursors, records);
        } catch (IOException | RuntimeException e) {
            closeAll(cursors);
            throw e;
        }
    }

    @Override
    public boolean next() throws IOException {
        Entry top = current;
        long former = 0;
        if (top != null) {
            former = top.prefix;
            if (advance(top)) {
                sink(top, 0);
            } else {
                size--;
                if (size > 0) {
                    sink(heap[size], 0);
                }
            }
        }
        if (size == 0) {
            current = null;
            progress.set(1f);
            return false;
        }
        current = heap[0];
        long prefix = current.prefix;
        relation = prefix != former
                ? Relation.DIFFERENT
                : keyPrefix.isDecisive(prefix) ? Relation.EQUAL : Relation.UNKNOWN;
        if ((++seen & untold) == 0) {
            progress.set(Math.min(1f, (float) seen / records));
        }
        return true;
    }

    @Override
    public Relation relation() {
        return relation;
    }

    @Override
    public boolean keyStays() {
        return top().stays();
    }

    @Override
    public DataInputBuffer getKey() {
        Cursor cursor = top();
        key.reset(cursor.keyBytes(), cursor.keyStart(), cursor.keyLength());
        return key;
    }

    @Override
    public DataInputBuffer getValue() {
        top().value(value);
        return value;
    }

    @Override
    public void close() throws IOException {
        closeAll(cursors);
    }

    @Override
    public Progress getProgress() {
        return progress;
    }

    private Cursor top() {
        Entry top = current;
        if (top == null) {
            throw new IllegalStateException("there is no record");
        }
        return top.cursor;
    }

    private static void closeAll(List<Cursor> cursors) throws IOException {
        for (Cursor cursor : cursors) {
            cursor.close();
        }
    }

    private boolean advance(Entry entry) throws IOException {
        Cursor cursor = entry.cursor;
        if (!cursor.next()) {
            return false;
        }
        entry.prefix = keyPrefix.of(cursor.keyBytes(), cursor.keyStart(), cursor.keyLength());
        return true;
    }

    private void sink(Entry entry, int from) {
        int at = from;
        while (true) {
            int child = 2 * at + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (isBefore(entry, heap[child])) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = entry;
    }

    private boolean isBefore(Entry a, Entry b) {
        if (a.prefix != b.prefix) {
            return a.prefix < b.prefix;
        }
        int order = keyPrefix.isDecisive(a.prefix) ? 0 : compare(a.cursor, b.cursor);
        return order == 0 ? a.order < b.order : order < 0;
    }

    private int compare(Cursor a, Cursor b) {
        return comparator.compare(a.keyBytes(), a.keyStart(), a.keyLength(), b.keyBytes(), b.keyStart(), b.keyLength());
    }
}
