package org.berth.spark.status;

import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/** Reports added and removed executors to the book; called by the thread of Spark's listener bus. */
public final class StatusListener extends SparkListener {
    private final StatusBook book;

    public StatusListener(StatusBook book) {
        this.book = book;
    }

    @Override
    public void onExecutorAdded(SparkListenerExecutorAdded added) {
        book.expect(added.executorId(), added.executorInfo().executorHost(), System.currentTimeMillis());
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
        book.forget(removed.executorId());
    }
}
