package org.berth.mapreduce.runtime;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.io.RawComparator;

/**
 * Records of one run with an index: for each record its prefix and a word of partition, page and offset. Only the index is
 * sorted, first by counting the partitions, then each by a stable merge sort.
 */
final class SortBuffer {
    static final int MAX_PARTITIONS = 1 << 20;
    static final int MAX_PAGES = 1 << 14;
    private static final int MAX_RECORDS = 1 << 19;
    private static final int SHORT = 10;

    private final RawComparator<?> comparator;
    private final KeyPrefix keyPrefix;
    private final int partitions;
    private final RecordOutput output;
    private final BufferPool pool;
    private long[] prefixes = new long[1 << 10];
    private long[] records = new long[1 << 10];
    private long[] otherPrefixes = new long[0];
    private long[] otherRecords = new long[0];
    private final int[] ends;
    private int count;
    private int hugePages;

    SortBuffer(BufferPool pool, RawComparator<?> comparator, int partitions) {
        if (partitions > MAX_PARTITIONS) {
            throw new IllegalArgumentException(
                    partitions + " reduces are more than " + MAX_PARTITIONS + ": ask for fewer");
        }
        this.pool = pool;
        this.comparator = comparator;
        this.keyPrefix = KeyPrefixes.of(comparator);
        this.partitions = partitions;
        this.ends = new int[partitions];
        this.output = new RecordOutput(pool, true);
    }

    RecordOutput output() {
        return output;
    }

    int count() {
        return count;
    }

    /** Takes the record that the output completed; its pages have been counted since {@link #clear}. */
    void add(int partition, int keyLength) {
        if (count == prefixes.length) {
            prefixes = Arrays.copyOf(prefixes, 2 * count);
            records = Arrays.copyOf(records, 2 * count);
        }
        int start = output.start();
        int page = output.pages().size() - 1;
        prefixes[count] = keyPrefix.of(output.data(), start + Page.HEADER, keyLength);
        records[count++] = ((long) partition << 44) | ((long) page << 30) | start;
        ends[partition]++;
        if (output.data().length > pool.pageBytes()) {
            hugePages++;
        }
    }

    boolean isFull() {
        return output.pages().size() > pool.sortPages() || count >= MAX_RECORDS || hugePages > 0;
    }

    /** Bytes of all records with their headers. */
    long bytes() {
        long result = 0;
        for (Page page : output.pages()) {
            result += page.used;
        }
        return result;
    }

    void sort() {
        if (otherPrefixes.length < count) {
            otherPrefixes = new long[prefixes.length];
            otherRecords = new long[prefixes.length];
        }
        int total = 0;
        for (int i = 0; i < partitions; i++) {
            int size = ends[i];
            ends[i] = total;
            total += size;
        }
        if (partitions > 1) {
            for (int i = 0; i < count; i++) {
                int to = ends[(int) (records[i] >>> 44)]++;
                otherPrefixes[to] = prefixes[i];
                otherRecords[to] = records[i];
            }
            swap();
        } else {
            ends[0] = total;
        }
        System.arraycopy(prefixes, 0, otherPrefixes, 0, count);
        System.arraycopy(records, 0, otherRecords, 0, count);
        int from = 0;
        for (int i = 0; i < partitions; i++) {
            sort(otherPrefixes, otherRecords, prefixes, records, from, ends[i]);
            from = ends[i];
        }
    }

    /** First record of a partition after {@link #sort}. */
    int from(int partition) {
        return partition == 0 ? 0 : ends[partition - 1];
    }

    int to(int partition) {
        return ends[partition];
    }

    byte[] data(int record) {
        return output.pages().get(pageOf(records[record])).data;
    }

    int offset(int record) {
        return offsetOf(records[record]);
    }

    /** Forgets all records and gives the pages back. */
    void clear() {
        List<Page> pages = output.detach();
        pages.forEach(pool::returnFromSort);
        Arrays.fill(ends, 0);
        count = 0;
        hugePages = 0;
    }

    private void swap() {
        long[] words = prefixes;
        prefixes = otherPrefixes;
        otherPrefixes = words;
        words = records;
        records = otherRecords;
        otherRecords = words;
    }

    /** Sorts into {@code p} and {@code r}; both pairs hold the same at first. */
    private void sort(long[] fromP, long[] fromR, long[] p, long[] r, int low, int high) {
        if (high - low <= SHORT) {
            insert(p, r, low, high);
            return;
        }
        int middle = (low + high) >>> 1;
        sort(p, r, fromP, fromR, low, middle);
        sort(p, r, fromP, fromR, middle, high);
        if (compare(fromP[middle - 1], fromR[middle - 1], fromP[middle], fromR[middle]) <= 0) {
            System.arraycopy(fromP, low, p, low, high - low);
            System.arraycopy(fromR, low, r, low, high - low);
            return;
        }
        int left = low;
        int right = middle;
        for (int i = low; i < high; i++) {
            if (right >= high
                    || (left < middle && compare(fromP[left], fromR[left], fromP[right], fromR[right]) <= 0)) {
                p[i] = fromP[left];
                r[i] = fromR[left++];
            } else {
                p[i] = fromP[right];
                r[i] = fromR[right++];
            }
        }
    }

    private void insert(long[] p, long[] r, int low, int high) {
        for (int i = low + 1; i < high; i++) {
            long prefix = p[i];
            long record = r[i];
            int j = i;
            while (j > low && compare(p[j - 1], r[j - 1], prefix, record) > 0) {
                p[j] = p[j - 1];
                r[j] = r[j - 1];
                j--;
            }
            p[j] = prefix;
            r[j] = record;
        }
    }

    private int compare(long prefix1, long record1, long prefix2, long record2) {
        if (prefix1 != prefix2) {
            return prefix1 < prefix2 ? -1 : 1;
        }
        if (keyPrefix.isDecisive(prefix1)) {
            return 0;
        }
        byte[] data1 = output.pages().get(pageOf(record1)).data;
        byte[] data2 = output.pages().get(pageOf(record2)).data;
        int offset1 = offsetOf(record1);
        int offset2 = offsetOf(record2);
        return comparator.compare(
                data1,
                offset1 + Page.HEADER,
                Page.keyLength(data1, offset1),
                data2,
                offset2 + Page.HEADER,
                Page.keyLength(data2, offset2));
    }

    private static int pageOf(long record) {
        return (int) (record >>> 30) & (MAX_PAGES - 1);
    }

    private static int offsetOf(long record) {
        return (int) record & ((1 << 30) - 1);
    }
}
