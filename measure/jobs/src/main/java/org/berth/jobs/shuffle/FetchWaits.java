package org.berth.jobs.shuffle;

import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.SparkContext;
import org.apache.spark.executor.ShuffleReadMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** What tasks that have ended fetched from other executors, by Spark's own count. Thread-safe. */
final class FetchWaits extends SparkListener {
    private final LongAdder waitMillis = new LongAdder();
    private final LongAdder remoteBytes = new LongAdder();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        if (end.taskMetrics() != null) {
            ShuffleReadMetrics read = end.taskMetrics().shuffleReadMetrics();
            waitMillis.add(read.fetchWaitTime());
            remoteBytes.add(read.remoteBytesRead());
        }
    }

    /** What came until now; the count begins again. */
    Sum take(SparkContext spark) {
        try {
            spark.listenerBus().waitUntilEmpty();
        } catch (TimeoutException e) {
            throw new IllegalStateException("Spark did not report all tasks", e);
        }
        return new Sum(waitMillis.sumThenReset() / 1e3, remoteBytes.sumThenReset());
    }

    /**
     * The waits of all tasks together.
     *
     * @param waitSeconds how long tasks had nothing to read
     * @param remoteBytes from other executors
     */
    record Sum(double waitSeconds, long remoteBytes) {}
}
