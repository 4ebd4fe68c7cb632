package org.apache.hadoop.mapred;

import org.jspecify.annotations.NullMarked;

/**
 * Tells when counts of records are to be passed on. A lock and a volatile write for each record cost as much as the work of a
 * small one; records that take long are passed on one by one, so that reports are late by a few milliseconds at most.
 */
@NullMarked
public final class ReportPace {
    private static final long LATE_NANOS = 5_000_000;
    private static final int LARGEST_BATCH = 4096;
    /** Programs watch the progress of tasks with few records. */
    private static final int REPORTED_EACH = 256;

    private int batch = 1;
    private int seen;
    private int first;
    private long lastNanos = System.nanoTime();

    /** Counts a record, and returns whether to report now. */
    public boolean isDue() {
        if (first < REPORTED_EACH) {
            first++;
            return true;
        }
        if (++seen < batch) {
            return false;
        }
        seen = 0;
        long now = System.nanoTime();
        batch = now - lastNanos < LATE_NANOS ? Math.min(2 * batch, LARGEST_BATCH) : 1;
        lastNanos = now;
        return true;
    }
}
