package org.berth.mapreduce.spark;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.util.StringUtils;
import org.apache.spark.TaskContext;
import org.berth.mapreduce.client.ExitRefused;
import org.berth.mapreduce.client.TaskListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends what an attempt reports to the driver, at most once a second, and knows why it must fail. Thread-safe. */
final class TaskReports implements TaskListener {
    private static final Logger LOG = LoggerFactory.getLogger(TaskReports.class);
    private static final long INTERVAL_NANOS = 1_000_000_000;

    private final TaskBody body;
    private final TaskContext spark;
    private final TaskAttemptID attempt;
    private final Thread thread = Thread.currentThread();
    private byte[] last = new byte[0];
    private long sentNanos = System.nanoTime();
    private @Nullable String fatal;
    private boolean ended;

    TaskReports(TaskBody body, TaskContext spark, TaskAttemptID attempt) {
        this.body = body;
        this.spark = spark;
        this.attempt = attempt;
    }

    /** Returns the status that was reported last, serialised. */
    synchronized byte[] last() {
        return last;
    }

    @Override
    public void report(TaskAttemptID id, TaskStatus status) {
        byte[] bytes = bytes(status);
        synchronized (this) {
            last = bytes;
            if (System.nanoTime() - sentNanos < INTERVAL_NANOS) {
                return;
            }
            sentNanos = System.nanoTime();
        }
        try {
            body.ask(TaskMessage.Kind.PROGRESS, attempt.toString(), "", bytes);
        } catch (IOException e) {
            LOG.debug("a report of progress was lost", e);
        }
    }

    private static byte[] bytes(TaskStatus status) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            status.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @Override
    public synchronized void fatal(TaskAttemptID id, String why) {
        if (!ended && fatal == null) {
            fatal = why;
            if (Thread.currentThread() != thread) {
                thread.interrupt();
            }
        }
    }

    /** The attempt fails, even when its code goes on after this error; for a call from any of its threads. */
    ExitRefused exits() {
        ExitRefused refused = new ExitRefused("Task " + attempt);
        fatal(attempt, StringUtils.stringifyException(refused));
        return refused;
    }

    /**
     * For an attempt that is about to publish its output.
     *
     * @throws IllegalStateException when it has failed already, though its code went on
     */
    synchronized void requireNoFailure() {
        if (fatal != null) {
            throw new IllegalStateException(
                    attempt + " must not commit: " + fatal.lines().findFirst().orElse(""));
        }
    }

    /** The attempt's code has ended, well or not: nothing interrupts its thread any more. */
    synchronized void end() {
        ended = true;
    }

    /** Returns what made the attempt fail. */
    synchronized Throwable cause(Throwable thrown) {
        return fatal == null || thrown instanceof ExitRefused ? thrown : new IllegalStateException(fatal, thrown);
    }

    @Override
    public boolean canCommit(TaskAttemptID id) {
        requireNoFailure();
        // Hadoop's task would ask for ever, whatever interrupts it.
        if (spark.isInterrupted()) {
            throw new IllegalStateException(attempt + " was stopped before its commit");
        }
        try {
            String answer = body.ask(TaskMessage.Kind.CAN_COMMIT, attempt.toString(), "", new byte[0]);
            if (answer.equals(TaskMessage.JOB_ENDED)) {
                throw new IllegalStateException("the job has ended before the commit of " + attempt);
            }
            return answer.equals(TaskMessage.YES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
