package org.berth.jobs.objects;

import java.nio.ByteBuffer;
import org.HdrHistogram.Histogram;
import org.berth.jobs.SplitMix;
import org.berth.jobs.Workers;

/** One thread of {@link Allocation}, with its part of the live set. */
final class AllocationWorker implements Workers.Worker<AllocationWorker.Report> {
    /** Operations whose delay is taken together: a clock for each of them would cost as much as a small record. */
    static final int BATCH = 64;

    /** Header of an array and of the two objects around it, with compressed references (the default below 32 GiB). */
    private static final int HEADER_BYTES = 16 + 24 + 16;

    private static final int ALIGNMENT = 8;
    private static final int PERCENT = 100;

    /**
     * @param allocatedBytes by the operations, without the filling of the table
     * @param liveBytes of the records in the table at the end
     * @param checksum of what was read from the live set; the same for the same options
     */
    record Report(Histogram delayNanos, long allocatedBytes, long liveBytes, long checksum) {}

    /** Two objects and an array, so that a collector has references to follow. */
    private static final class Entry {
        private final byte[] content;
        private final Key key;

        private Entry(byte[] content, Key key) {
            this.content = content;
            this.key = key;
        }

        static Entry of(int bytes, long value) {
            byte[] content = new byte[bytes];
            if (bytes >= Long.BYTES) {
                ByteBuffer.wrap(content).putLong(bytes - Long.BYTES, value);
            }
            return new Entry(content, new Key(value));
        }

        long sizeBytes() {
            return sizeOf(content.length);
        }
    }

    /** What the rest of the work finds a record by. */
    private record Key(long value) {}

    private final int thread;
    private final AllocationOptions options;
    private Entry[] table = {};
    private long liveBytes;

    AllocationWorker(int thread, AllocationOptions options) {
        this.thread = thread;
        this.options = options;
    }

    /** Mean size of a record with its headers and its place in the table. */
    static int meanBytes(int contentBytes) {
        return (int) sizeOf(contentBytes) + Integer.BYTES;
    }

    private static long sizeOf(int contentBytes) {
        return HEADER_BYTES + (long) (contentBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    @Override
    public void prepare() {
        table = new Entry[options.recordsPerThread()];
        long seed = SplitMix.at(~options.seed(), thread);
        for (int i = 0; i < table.length; i++) {
            table[i] = Entry.of(contentBytes(SplitMix.at(seed, i)), i);
            liveBytes += table[i].sizeBytes();
        }
    }

    /** Evenly from 0 to twice the mean. */
    private int contentBytes(long random) {
        return (int) ((random >>> 33) % (2L * options.recordBytes() + 1));
    }

    @Override
    public Report work() {
        Histogram delays = new Histogram(3);
        long seed = SplitMix.at(options.seed(), thread);
        long first = options.operations() * thread / options.threads();
        long count = options.operations() * (thread + 1) / options.threads() - first;
        long allocatedBytes = 0;
        long checksum = 0;
        long before = System.nanoTime();
        for (long i = 0; i < count; i++) {
            long random = SplitMix.at(seed, i);
            Entry made = Entry.of(contentBytes(random), random);
            allocatedBytes += made.sizeBytes();
            int place = (int) ((random & Integer.MAX_VALUE) % table.length);
            Entry old = table[place];
            checksum = 31 * checksum + old.key.value() + old.content.length;
            if (SplitMix.mix(random) >>> 1 < Long.MAX_VALUE / PERCENT * options.survivors()) {
                liveBytes += made.sizeBytes() - old.sizeBytes();
                table[place] = made;
            }
            if (i % BATCH == BATCH - 1) {
                long now = System.nanoTime();
                delays.recordValue(now - before);
                before = now;
            }
        }
        return new Report(delays, allocatedBytes, liveBytes, checksum);
    }
}
