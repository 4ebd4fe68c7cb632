package org.berth.mapreduce.runtime.sort;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.io.RawComparator;

/**
 * Records of one run with an index: for each record its prefix and a word of partition, page and offset. Only the index
 * is sorted, first by counting the partitions, then each by a stable merge sort.
 *
 * <p>A record whose key is in the buffer already is chained to the former one with the same bytes, without its key and
 * without
 * an entry of the index: in most texts nine of ten records. A run whose first records have mostly keys of their own is
 * sorted without looking for more of them.
 */
public final class SortBuffer implements KeyTable.Keys {
    static final int MAX_PARTITIONS = 1 << 20;
    static final int MAX_PAGES = 1 << 14;

    /** Bits of a word for the place of a record: page and offset. */
    static final int PLACE_BITS = 44;

    /** Bits of a number of an entry; place and entry fit into one word. */
    static final int ENTRY_BITS = 19;

    private static final int MAX_ENTRIES = 1 << ENTRY_BITS;
    /** A table for more keys does not stay in the caches of a core. */
    private static final int MAX_HASHED_ENTRIES = 1 << 17;

    /** A number of a record fits into an int; no buffer comes near that, except one without bytes. */
    private static final int MAX_RECORDS = Integer.MAX_VALUE;

    private static final int MAX_HASHED_KEY = 256;
    private static final int FIRST_JUDGEMENT = 1 << 12;
    private static final int RUNS_WITHOUT_CHAINS = 7;
    private static final int SHORT = 10;

    private final RawComparator<?> comparator;
    private final KeyPrefix keyPrefix;
    private final int partitions;
    private final int sortPages;
    private final RecordOutput output;
    private final BufferPool pool;
    private final KeyTable table;
    private final SortIndex index;
    private final ValueChains chains;

    private final int[] ends;
    private int count;
    private int hugePages;
    private boolean chaining = true;
    private int runsWithoutChains;
    private long added;
    private long nextJudgement = FIRST_JUDGEMENT;
    private long lastLinked = -1;
    private long lastNumber;
    private boolean hasChains;
    private boolean hasTies;
    private long bytes;
    private int newPartition;
    private int newKeyLength;
    private int chain;
    private boolean closed;
    private boolean hashed;

    /**
     * Makes an empty buffer whose pages come from a pool.
     *
     * @param wantedBytes size after which the buffer is full, if the pool allows that much
     */
    public SortBuffer(BufferPool pool, RawComparator<?> comparator, int partitions, long wantedBytes) {
        if (partitions > MAX_PARTITIONS) {
            throw new IllegalArgumentException(
                    partitions + " reduces are more than " + MAX_PARTITIONS + ": ask for fewer");
        }
        this.pool = pool;
        this.comparator = comparator;
        this.keyPrefix = KeyPrefixes.of(comparator);
        this.partitions = partitions;
        this.sortPages = (int) Math.max(1, Math.min(pool.sortPages(), wantedBytes / pool.pageBytes()));
        this.ends = new int[partitions];
        this.index = pool.takeIndex();
        this.table = new KeyTable(this, index);
        this.output = new RecordOutput(pool.sortSource());
        this.chains = new ValueChains(index, output);
        fitIndex();
    }

    /** What a record is serialised to, between {@link #begin}, {@link #endOfKey} and {@link #end}. */
    public RecordOutput output() {
        return output;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public void begin() {
        output.begin(chaining ? Page.LEAD : 0);
    }

    public void endOfKey(int partition) {
        output.endOfKey();
        newPartition = partition;
        newKeyLength = output.keyLength();
        chain = KeyTable.NONE;
        hashed = chaining && newKeyLength <= MAX_HASHED_KEY;
        if (hashed) {
            chain = table.findOrAdd(partition, output.data(), output.keyStart(), newKeyLength, count);
            if (chain >= 0) {
                output.dropKey();
            }
        }
    }

    /** Completes a record and returns the length of its key and value. */
    public int end() {
        int length;
        if (chain >= 0) {
            length = newKeyLength + chains.append(chain, (int) added);
            lastNumber = added;
            hasChains = true;
        } else {
            length = output.end();
            addEntry();
        }
        bytes += Page.HEADER + length;
        if (output.data().length > pool.pageBytes()) {
            hugePages++;
        }
        if (++added == nextJudgement && chaining) {
            judge();
        }
        return length;
    }

    private void addEntry() {
        index.ensure(count);
        int start = output.start();
        long place = place(start);
        index.prefixes[count] = keyPrefix.of(output.data(), start + Page.HEADER, newKeyLength);
        index.records[count] = ((long) newPartition << PLACE_BITS) | place;
        if (chaining) {
            if (hashed) {
                table.note(count);
            } else {
                table.noteNoKey(count);
            }
            byte[] data = output.data();
            Page.writeLink(data, start - Page.LEAD, 0);
            Page.writeNumber(data, start - 4, (int) added);
            lastNumber = added;
            chains.start(count, place - Page.LEAD);
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
    public int entries() {
        return count;
    }

    @Override
    public boolean hasBytes(int entry, int from, byte[] data, int start, int length) {
        byte[] other = data(entry);
        int key = offset(entry) + Page.HEADER;
        return Arrays.equals(other, key + from, key + length, data, start + from, start + length);
    }

    public boolean isFull() {
        int pages = output.pages().size();
        return pages > sortPages
                || (long) pages * pool.pageBytes() + index.bytesWith(count, chaining) > limitBytes()
                || count >= (chaining ? MAX_HASHED_ENTRIES : MAX_ENTRIES)
                || added == MAX_RECORDS
                || hugePages > 0;
    }

    private long limitBytes() {
        return (sortPages + 1L) * pool.pageBytes();
    }

    /** The index stays from run to run, and from job to job: a run also needs room for records. */
    private void fitIndex() {
        if (index.bytes() > limitBytes() - Math.max(pool.pageBytes(), limitBytes() / 4)) {
            index.reset();
        }
    }

    /** Bytes of all records as a block has them: with their headers, each with its key. */
    public long bytes() {
        return bytes;
    }

    /** Bytes that the records take here. */
    public long pageBytes() {
        return (long) output.pages().size() * pool.pageBytes();
    }

    public void sort() {
        index.ensureOther();
        hasTies = false;
        int total = 0;
        for (int i = 0; i < partitions; i++) {
            int size = ends[i];
            ends[i] = total;
            total += size;
        }
        if (partitions > 1) {
            for (int i = 0; i < count; i++) {
                int to = ends[(int) (index.records[i] >>> PLACE_BITS)]++;
                index.otherPrefixes[to] = index.prefixes[i];
                index.otherRecords[to] = index.records[i];
            }
            index.swap();
        } else {
            ends[0] = total;
        }
        System.arraycopy(index.prefixes, 0, index.otherPrefixes, 0, count);
        System.arraycopy(index.records, 0, index.otherRecords, 0, count);
        int from = 0;
        for (int i = 0; i < partitions; i++) {
            sort(index.otherPrefixes, index.otherRecords, index.prefixes, index.records, from, ends[i]);
            from = ends[i];
        }
    }

    /** First record of a partition after {@link #sort}. */
    public int from(int partition) {
        return partition == 0 ? 0 : ends[partition - 1];
    }

    public int to(int partition) {
        return ends[partition];
    }

    byte[] data(int record) {
        return output.pages().get(pageOf(index.records[record])).data;
    }

    int offset(int record) {
        return offsetOf(index.records[record]);
    }

    /** Forgets all records and releases the pages. */
    public void clear() {
        List<Page> pages = output.detach();
        pages.forEach(pool.sortSource()::giveBack);
        Arrays.fill(ends, 0);
        count = 0;
        hugePages = 0;
        bytes = 0;
        added = 0;
        nextJudgement = FIRST_JUDGEMENT;
        lastLinked = -1;
        lastNumber = 0;
        hasChains = false;
        hasTies = false;
        table.clear();
        fitIndex();
        if (!chaining && runsWithoutChains-- == 0) {
            chaining = true;
        }
    }

    /** Gives the pages and the index back; the buffer takes no more records. */
    public void close() {
        if (!closed) {
            clear();
            closed = true;
            pool.giveBack(index);
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
        return compare(index.prefixes[entry - 1], index.records[entry - 1], index.prefixes[entry], index.records[entry])
                == 0;
    }

    /** Place of the first record of the chain behind an entry; 0 when there is none. */
    long chain(int entry) {
        long place = placeOf(entry);
        // Entries that came after the last one with a link have none.
        return hasChains && place <= lastLinked ? Page.link(data(entry), offset(entry) - Page.LEAD) : 0;
    }

    /** Number that orders a record of the index among those of its chains, in the order of arrival. */
    long order(int entry) {
        long place = placeOf(entry);
        // Records that came after the last one with a lead have no number, and higher places than there are numbers
        // before.
        return place <= lastLinked ? Page.number(data(entry), offset(entry) - 4) : lastNumber + 1 + place;
    }

    long placeOf(int entry) {
        return index.records[entry] & ((1L << PLACE_BITS) - 1);
    }

    byte[] dataAt(long place) {
        return output.pages().get(pageOf(place)).data;
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
