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
import org.berth.mapreduce.client.TaskRun;
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
    private long progressNanos = sentNanos;
    private long fatalNanos;
    private long interruptNanos;
    private @Nullable String fatal;
    private boolean codeEnded;
    private boolean ended;

    TaskReports(TaskBody body, TaskContext spark, TaskAttemptID attempt) {
        this.body = body;
        this.spark = spark;
        this.attempt = attempt;
    }

    TaskAttemptID attempt() {
        return attempt;
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
            progressNanos = System.nanoTime();
            if (progressNanos - sentNanos < INTERVAL_NANOS) {
                return;
            }
            sentNanos = progressNanos;
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
            fatalNanos = System.nanoTime();
            interruptNanos = fatalNanos;
            if (Thread.currentThread() != thread && !codeEnded) {
                thread.interrupt();
            }
        }
    }

    /** The attempt fails because of what is wrong with it. */
    void stop(String wrong) {
        fatal(attempt, attempt + " " + wrong);
    }

    /** Returns for how long the attempt has reported no progress. */
    synchronized long withoutProgressMillis() {
        return (System.nanoTime() - progressNanos) / 1_000_000;
    }

    /** Returns for how long the attempt goes on though it was told to end; -1 when it was not, or has ended. */
    synchronized long stoppedForMillis() {
        return fatal == null || ended ? -1 : (System.nanoTime() - fatalNanos) / 1_000_000;
    }

    /** Returns why the attempt was told to end, or an empty text. */
    synchronized String fatal() {
        return fatal == null ? "" : fatal;
    }

    /** The attempt fails, even when its code goes on after this error; for a call from any of its threads. */
    ExitRefused exits() {
        ExitRefused refused = new ExitRefused("Task " + attempt);
        fatal(attempt, StringUtils.stringifyException(refused));
        return refused;
    }

    /**
     * Called when an attempt has ended its work.
     *
     * @throws IllegalStateException when it has failed already, though its code went on
     */
    synchronized void requireNoFailure() {
        if (fatal != null) {
            throw new IllegalStateException(
                    attempt + " must stop: " + fatal.lines().findFirst().orElse(""));
        }
    }

    @Override
    public synchronized void codeEnded(TaskAttemptID id) {
        codeEnded = true;
    }

    /** Repeats an interrupt that the attempt's code may have lost. */
    synchronized void interruptAgain() {
        long now = System.nanoTime();
        if (fatal != null && !codeEnded && !ended && now - interruptNanos > TaskRun.INTERRUPT_AGAIN_NANOS) {
            interruptNanos = now;
            thread.interrupt();
        }
    }

    /** The attempt has ended, well or not: nothing interrupts its thread any more. */
    synchronized void end() {
        ended = true;
    }

    /** Returns what made the attempt fail. */
    synchronized Throwable cause(Throwable thrown) {
        return fatal == null || thrown instanceof ExitRefused ? thrown : new IllegalStateException(fatal, thrown);
    }

    @Override
    public void requireNoFailure(TaskAttemptID id) {
        requireNoFailure();
        if (spark.isInterrupted()) {
            throw new IllegalStateException(attempt + " was stopped");
        }
    }

    @Override
    public boolean canCommit(TaskAttemptID id) {
        // Hadoop's task would ask for ever, whatever interrupts it.
        requireNoFailure(id);
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
