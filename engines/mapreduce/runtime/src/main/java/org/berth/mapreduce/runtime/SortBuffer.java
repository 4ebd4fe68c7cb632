package org.berth.mapreduce.runtime;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.io.RawComparator;

/**
 * Records of one run with an index: for each record its prefix and a word of partition, page and offset. Only the index is
 * sorted, first by counting the partitions, then each by a stable merge sort.
 *
 * <p>A record whose key is in the buffer already is chained to the former one with the same bytes, without its key and without
 * an entry of the index: in most texts nine of ten records. A run whose first records have mostly keys of their own is sorted
 * without looking for more of them.
 */
final class SortBuffer implements KeyTable.Keys {
    static final int MAX_PARTITIONS = 1 << 20;
    static final int MAX_PAGES = 1 << 14;

    /** Bits of a word for the place of a record: page and offset. */
    static final int PLACE_BITS = 44;

    /** Bits of a number of an entry; place and entry fit into one word. */
    static final int ENTRY_BITS = 19;

    private static final int MAX_ENTRIES = 1 << ENTRY_BITS;
    /** A table for more keys does not stay in the caches of a core. */
    private static final int MAX_HASHED_ENTRIES = 1 << 17;

    private static final int MAX_HASHED_KEY = 256;
    private static final int FIRST_JUDGEMENT = 1 << 12;
    private static final int RUNS_WITHOUT_CHAINS = 7;
    private static final int INDEX_BYTES = 32;
    private static final int SHORT = 10;

    private final RawComparator<?> comparator;
    private final KeyPrefix keyPrefix;
    private final int partitions;
    private final RecordOutput output;
    private final BufferPool pool;
    private final KeyTable table = new KeyTable(this);
    private long[] prefixes = new long[1 << 10];
    private long[] records = new long[1 << 10];
    private long[] otherPrefixes = new long[0];
    private long[] otherRecords = new long[0];
    /** For each entry that may begin a chain, the place of its last link. */
    private long[] lastLinks = new long[1 << 10];

    private final int[] ends;
    private int count;
    private int hugePages;
    private boolean chaining = true;
    private int runsWithoutChains;
    private long added;
    private long nextJudgement = FIRST_JUDGEMENT;
    private long lastLinked = -1;
    private boolean hasChains;
    private boolean hasTies;
    private long bytes;
    private int newPartition;
    private int newKeyLength;
    private int chain;

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
        this.output = new RecordOutput(pool.sortSource());
    }

    /** What a record is serialised to, between {@link #begin}, {@link #endOfKey} and {@link #end}. */
    RecordOutput output() {
        return output;
    }

    boolean isEmpty() {
        return count == 0;
    }

    void begin() {
        output.begin(chaining ? Page.LINK : 0);
    }

    void endOfKey(int partition) {
        output.endOfKey();
        newPartition = partition;
        newKeyLength = output.keyLength();
        chain = -1;
        if (chaining && newKeyLength <= MAX_HASHED_KEY) {
            chain = table.findOrAdd(partition, output.data(), output.keyStart(), newKeyLength, count);
            if (chain >= 0) {
                output.dropKey();
            }
        }
    }

    /** Completes a record and returns the length of its key and value. */
    int end() {
        int length;
        if (chain >= 0) {
            length = newKeyLength + output.endWithoutKey();
            long place = place(output.first());
            long former = lastLinks[chain];
            Page.writeLink(output.pages().get(pageOf(former)).data, offsetOf(former), place);
            lastLinks[chain] = place;
            hasChains = true;
        } else {
            length = output.end();
            addEntry();
        }
        bytes += Page.HEADER + length;
        if (output.data().length > pool.pageBytes()) {
            hugePages++;
        }
        if (chaining && ++added == nextJudgement) {
            judge();
        }
        return length;
    }

    private void addEntry() {
        if (count == prefixes.length) {
            prefixes = Arrays.copyOf(prefixes, 2 * count);
            records = Arrays.copyOf(records, 2 * count);
        }
        int start = output.start();
        long place = place(start);
        prefixes[count] = keyPrefix.of(output.data(), start + Page.HEADER, newKeyLength);
        records[count] = ((long) newPartition << PLACE_BITS) | place;
        if (chaining) {
            if (count >= lastLinks.length) {
                lastLinks = Arrays.copyOf(lastLinks, 2 * lastLinks.length);
            }
            lastLinks[count] = place - Page.LINK;
            lastLinked = place;
        }
        count++;
        ends[newPartition]++;
    }

    /** Looking for keys that come again costs more than it saves when three of four records have a key of their own. */
    private void judge() {
        nextJudgement *= 16;
        if (count > added / 4 * 3) {
            chaining = false;
            runsWithoutChains = RUNS_WITHOUT_CHAINS;
        }
    }

    @Override
    public boolean hasKey(int entry, int partition, byte[] data, int start, int length) {
        // The key of a record that failed to be serialised has a number that belongs to no record, or to another one.
        if (entry >= count || (int) (records[entry] >>> PLACE_BITS) != partition) {
            return false;
        }
        byte[] other = data(entry);
        int offset = offset(entry);
        int from = offset + Page.HEADER;
        return Page.keyLength(other, offset) == length
                && Arrays.equals(other, from, from + length, data, start, start + length);
    }

    boolean isFull() {
        int pages = output.pages().size();
        return pages > pool.sortPages()
                || (long) pages * pool.pageBytes() + (long) INDEX_BYTES * count
                        > (pool.sortPages() + 1L) * pool.pageBytes()
                || count >= (chaining ? MAX_HASHED_ENTRIES : MAX_ENTRIES)
                || hugePages > 0;
    }

    /** Bytes of all records as a block has them: with their headers, each with its key. */
    long bytes() {
        return bytes;
    }

    /** Bytes that the records take here. */
    long pageBytes() {
        return (long) output.pages().size() * pool.pageBytes();
    }

    void sort() {
        if (otherPrefixes.length < count) {
            otherPrefixes = new long[prefixes.length];
            otherRecords = new long[prefixes.length];
        }
        hasTies = false;
        int total = 0;
        for (int i = 0; i < partitions; i++) {
            int size = ends[i];
            ends[i] = total;
            total += size;
        }
        if (partitions > 1) {
            for (int i = 0; i < count; i++) {
                int to = ends[(int) (records[i] >>> PLACE_BITS)]++;
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
        pages.forEach(pool.sortSource()::giveBack);
        Arrays.fill(ends, 0);
        count = 0;
        hugePages = 0;
        bytes = 0;
        added = 0;
        nextJudgement = FIRST_JUDGEMENT;
        lastLinked = -1;
        hasChains = false;
        hasTies = false;
        table.clear();
        if (!chaining && runsWithoutChains-- == 0) {
            chaining = true;
        }
    }

    private long place(int offset) {
        return ((long) (output.pages().size() - 1) << 30) | offset;
    }

    /** Whether the order of arrival is lost where {@link #isTie} holds. */
    boolean mayTie() {
        return hasTies && hasChains;
    }

    /** Whether neighbours may have equal keys in their right order already. */
    boolean isTieUnmarked() {
        return hasTies && !hasChains;
    }

    /** Whether two neighbours in the sorted index have equal keys, though not the same bytes. */
    boolean isTie(int entry) {
        return compare(prefixes[entry - 1], records[entry - 1], prefixes[entry], records[entry]) == 0;
    }

    /** Place of the first record of the chain behind an entry; 0 when there is none. */
    long chain(int entry) {
        long place = placeOf(entry);
        // Entries that came after the last one with a link have none.
        return hasChains && place <= lastLinked ? Page.link(data(entry), offset(entry) - Page.LINK) : 0;
    }

    long placeOf(int entry) {
        return records[entry] & ((1L << PLACE_BITS) - 1);
    }

    byte[] dataAt(long place) {
        return output.pages().get(pageOf(place)).data;
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
        int order = keyPrefix.isDecisive(prefix1) ? 0 : compareKeys(record1, record2);
        if (order == 0) {
            hasTies = true;
        }
        return order;
    }

    private int compareKeys(long record1, long record2) {
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

    static int pageOf(long record) {
        return (int) (record >>> 30) & (MAX_PAGES - 1);
    }

    static int offsetOf(long record) {
        return (int) record & ((1 << 30) - 1);
    }
}
