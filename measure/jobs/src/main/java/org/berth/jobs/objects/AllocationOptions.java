package org.berth.jobs.objects;

import org.berth.jobkit.JobException;
import org.berth.jobkit.JobOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@link Allocation}. */
@Command(
        name = "Allocation",
        description = "Threads that allocate records and keep a live set of known size, to compare collectors with.")
final class AllocationOptions extends JobOptions {
    private static final long OPERATIONS_PER_THOUSAND = 1000;
    private static final int MOST_SCALE = 1_000_000;
    private static final int MOST_RECORD_BYTES = 1 << 20;
    private static final int PERCENT = 100;

    @Option(
            names = "--scale",
            paramLabel = "N",
            defaultValue = "64",
            description = "MB (2^20 bytes) of the live set of all threads together (default ${DEFAULT-VALUE}).")
    private int scale;

    @Option(
            names = "--operations",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Thousands of operations, shared among the threads (default ${DEFAULT-VALUE}).")
    private int thousands;

    @Option(
            names = "--record-bytes",
            paramLabel = "N",
            defaultValue = "512",
            description = "Mean size of the content of a record; sizes are spread evenly from 0 to twice as much"
                    + " (default ${DEFAULT-VALUE}).")
    private int recordBytes;

    @Option(
            names = "--survivors",
            paramLabel = "N",
            defaultValue = "10",
            description = "Number of records in 100 that enter the live set (default ${DEFAULT-VALUE}).")
    private int survivors;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of sizes and places (default ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads (default: the processors that the JVM may use).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    protected void check() {
        requireAtMost("--scale", scale, MOST_SCALE);
        requireAtMost("--record-bytes", recordBytes, MOST_RECORD_BYTES);
        requireAtMost("--survivors", survivors, PERCENT);
        if (recordsPerThread() < 1) {
            throw JobException.usage("--scale " + scale + " is less than one record of " + recordBytes
                    + " bytes for each of " + threads + " threads; give a larger --scale or smaller --record-bytes");
        }
    }

    /** Records of the live set of one thread. */
    int recordsPerThread() {
        long records = ((long) scale << 20) / threads / AllocationWorker.meanBytes(recordBytes);
        return (int) Math.min(Integer.MAX_VALUE / 2, records);
    }

    /** Operations of all threads together. */
    long operations() {
        return OPERATIONS_PER_THOUSAND * thousands;
    }

    /** Mean size of the content of a record. */
    int recordBytes() {
        return recordBytes;
    }

    /** The percentage of records that enter the live set. */
    int survivors() {
        return survivors;
    }

    int threads() {
        return threads;
    }

    long seed() {
        return seed;
    }
}
