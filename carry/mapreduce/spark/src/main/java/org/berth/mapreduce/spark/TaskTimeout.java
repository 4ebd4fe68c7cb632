package org.berth.mapreduce.spark;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.berth.mapreduce.client.ExitGuard;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops an attempt that makes no progress for {@code mapreduce.task.timeout}, and gives one up that does not end for
 * {@code mapreduce.task.exit.timeout} after it was stopped. One thread watches all attempts of this JVM.
 */
final class TaskTimeout implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskTimeout.class);
    private static final long LONGEST_PERIOD_MILLIS = 5_000;
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final TaskReports reports;
    private final long timeoutMillis;
    private final long graceMillis;
    private final Runnable giveUp;
    private @Nullable ScheduledFuture<?> check;

    private TaskTimeout(Configuration conf, TaskReports reports, Runnable giveUp) {
        this.reports = reports;
        this.timeoutMillis = conf.getLong(MRJobConfig.TASK_TIMEOUT, MRJobConfig.DEFAULT_TASK_TIMEOUT_MILLIS);
        this.graceMillis = conf.getLong("mapreduce.task.exit.timeout", 60_000);
        this.giveUp = giveUp;
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "berth-task-timeout");
            thread.setDaemon(true);
            thread.setContextClassLoader(TaskTimeout.class.getClassLoader());
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /**
     * Watches the attempt of the calling thread until it is closed.
     *
     * @param giveUp called at most once, by another thread, when the attempt was stopped and does not end
     */
    static TaskTimeout watch(Configuration conf, TaskReports reports, Runnable giveUp) {
        TaskTimeout watch = new TaskTimeout(conf, reports, giveUp);
        long shortest = watch.timeoutMillis > 0 ? Math.min(watch.timeoutMillis, watch.graceMillis) : watch.graceMillis;
        long period = Math.max(50, Math.min(LONGEST_PERIOD_MILLIS, shortest / 4));
        // The timer's thread is not the task's, though the task's may be the one that starts it.
        ExitGuard.Scope unguarded = ExitGuard.enter(null);
        try (unguarded) {
            watch.check = TIMER.scheduleWithFixedDelay(watch::check, period, period, TimeUnit.MILLISECONDS);
        }
        return watch;
    }

    /** The timer drops a check that throws, and an attempt that hangs would then hang for good. */
    private void check() {
        try {
            look();
        } catch (Throwable e) {
            LOG.warn("Berth: the check of an attempt's progress failed and will be repeated", e);
        }
    }

    private void look() {
        if (timeoutMillis > 0 && reports.withoutProgressMillis() > timeoutMillis) {
            reports.stop(
                    "made no progress for " + timeoutMillis / 1000 + " s (mapreduce.task.timeout): it was stopped");
        }
        if (reports.stoppedForMillis() > graceMillis) {
            close();
            giveUp.run();
        } else {
            reports.interruptAgain();
        }
    }

    @Override
    public void close() {
        if (check != null) {
            check.cancel(false);
        }
    }
}
