package org.berth.jobs.shuffle;

import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.ShuffleReadMetrics;
import org.berth.jobkit.JobMain;

/**
 * What one partition says after the shuffle. Appended in the order of the partitions, it does not depend on where one
 * ends and the next begins.
 *
 * @param rows records (or groups)
 * @param keys a hash of the keys in their order
 * @param contents the sum of the hashes of all records, in any order
 * @param readRecords that came through the shuffle, by Spark's own count
 * @param readBytes likewise
 */
record ShuffleSummary(long rows, long keys, long contents, long readRecords, long readBytes) implements Serializable {
    private static final long BASE = 0x9e3779b97f4a7c15L;

    static final ShuffleSummary EMPTY = new ShuffleSummary(0, 0, 0, 0, 0);

    ShuffleSummary add(long key, long hash) {
        return new ShuffleSummary(rows + 1, keys * BASE + key, contents + hash, readRecords, readBytes);
    }

    /** The summary with what the running task has read; called after its last record. */
    ShuffleSummary withTaskMetrics() {
        ShuffleReadMetrics read = TaskContext.get().taskMetrics().shuffleReadMetrics();
        return new ShuffleSummary(rows, keys, contents, read.recordsRead(), read.totalBytesRead());
    }

    static ShuffleSummary concatenate(List<ShuffleSummary> parts) {
        ShuffleSummary all = EMPTY;
        for (ShuffleSummary part : parts) {
            all = new ShuffleSummary(
                    all.rows + part.rows,
                    all.keys * power(part.rows) + part.keys,
                    all.contents + part.contents,
                    all.readRecords + part.readRecords,
                    all.readBytes + part.readBytes);
        }
        return all;
    }

    private static long power(long exponent) {
        long power = 1;
        long square = BASE;
        for (long rest = exponent; rest > 0; rest >>>= 1) {
            power *= (rest & 1) == 1 ? square : 1;
            square *= square;
        }
        return power;
    }

    /** One iteration's line of progress, which also proves that the shuffle took place. */
    void print(int iteration, long nanos) {
        System.out.printf(
                Locale.ROOT,
                "iteration %d: %.3f s, %d records (%.1f MB) through the shuffle%n",
                iteration,
                JobMain.seconds(nanos),
                readRecords,
                readBytes / 1e6);
    }

    String result() {
        return String.format(Locale.ROOT, "%d %016x %016x", rows, keys, contents);
    }
}
