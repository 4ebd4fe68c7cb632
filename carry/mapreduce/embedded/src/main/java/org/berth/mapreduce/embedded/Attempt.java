package org.berth.mapreduce.embedded;

import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.util.StringUtils;
import org.berth.mapreduce.client.AttemptConf;
import org.berth.mapreduce.client.BerthJob;
import org.berth.mapreduce.client.ExitGuard;
import org.berth.mapreduce.client.ExitRefused;
import org.berth.mapreduce.client.TaskRun;
import org.berth.mapreduce.client.TaskUsers;
import org.berth.mapreduce.runtime.blocks.MapOutput;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One attempt of a task: runs it on a worker thread, and ends exactly once, even when its thread cannot be stopped. */
final class Attempt implements WorkerPool.Work {
    private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);

    private final EmbeddedJob owner;
    private final TaskAttemptID id;
    private volatile long lastProgressNanos = System.nanoTime();
    private WorkerPool.@Nullable Worker worker;
    private @Nullable String reason;
    private long stopNanos;
    private long interruptNanos;
    private boolean codeEnded;
    private boolean ended;

    Attempt(EmbeddedJob owner, boolean map, int index, int number) {
        this.owner = owner;
        this.id = new TaskAttemptID(new TaskID(owner.job().id(), map ? TaskType.MAP : TaskType.REDUCE, index), number);
    }

    TaskAttemptID id() {
        return id;
    }

    boolean isMap() {
        return id.getTaskType() == TaskType.MAP;
    }

    int index() {
        return id.getTaskID().getId();
    }

    void progressed() {
        lastProgressNanos = System.nanoTime();
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // The task may have changed it.
    public void accept(WorkerPool.Worker thread) {
        synchronized (this) {
            if (ended || reason != null) {
                return;
            }
            worker = thread;
            progressed();
        }
        Throwable failure = null;
        MapOutput output = null;
        ClassLoader former = thread.getContextClassLoader();
        String name = thread.getName();
        int priority = thread.getPriority();
        thread.group().enter(this);
        try (TaskUsers.Lease users = owner.job().users().lease()) {
            ClassLoader loader = owner.isolation().loader(thread);
            thread.setContextClassLoader(loader);
            output = users.run((PrivilegedExceptionAction<@Nullable MapOutput>) () -> run(loader, users));
        } catch (Throwable e) {
            failure = e;
        } finally {
            thread.group().leave();
            thread.setContextClassLoader(former);
            thread.setName(name);
            thread.setPriority(priority);
        }
        boolean first = end();
        // The end is decided, so a later interrupt cannot come for this task.
        Thread.interrupted();
        if (first) {
            owner.ended(this, output, failure, reason());
        } else if (output != null) {
            output.release();
        }
    }

    private @Nullable MapOutput run(ClassLoader loader, TaskUsers.Lease users) throws Exception {
        BerthJob job = owner.job();
        JobConf conf = new AttemptConf(job.conf(), users);
        conf.setClassLoader(loader);
        Task task = isMap() ? owner.mapTask(this) : owner.reduceTask(this);
        return TaskRun.run(task, conf, job.localDirs(id.toString()), owner, users);
    }

    /** The attempt fails, even when its code goes on after this error; for a call from any of its threads. */
    ExitRefused exits() {
        ExitRefused refused = new ExitRefused("Task " + id);
        synchronized (this) {
            if (Thread.currentThread() != worker) {
                stop(StringUtils.stringifyException(refused));
            } else if (reason == null) {
                reason = StringUtils.stringifyException(refused);
                stopNanos = System.nanoTime();
                interruptNanos = stopNanos;
            }
        }
        return refused;
    }

    /**
     * Called when a task is about to run the user's code or to publish its output.
     *
     * @throws IllegalStateException when the attempt was stopped or has failed already, though its code went on
     */
    synchronized void requireNoFailure() {
        if (reason != null) {
            throw new IllegalStateException(
                    id + " must stop: " + reason.lines().findFirst().orElse(""));
        }
    }

    private synchronized @Nullable String reason() {
        return reason;
    }

    private synchronized boolean end() {
        boolean first = !ended;
        ended = true;
        return first;
    }

    /** Nothing interrupts what removes the output of a failed attempt. */
    synchronized void codeEnded() {
        codeEnded = true;
    }

    /** Interrupts the attempt, or keeps it from its start. */
    void stop(String why) {
        mark(why);
        interrupt();
    }

    /** Keeps the attempt from its start and from its commit; one that runs is to be interrupted after that. */
    synchronized void mark(String why) {
        if (!ended && reason == null) {
            reason = why;
            stopNanos = System.nanoTime();
        }
    }

    /** Interrupts the attempt that was marked, once, or ends one that has not started. */
    void interrupt() {
        String why;
        synchronized (this) {
            if (ended || reason == null || interruptNanos != 0) {
                return;
            }
            if (worker != null) {
                interruptNanos = System.nanoTime();
                if (!codeEnded) {
                    worker.interrupt();
                }
                return;
            }
            ended = true;
            why = reason;
        }
        owner.ended(this, null, null, why);
    }

    /** Stops an attempt without progress, and gives one up that does not end; called from time to time. */
    void check(long timeoutMillis, long graceMillis) {
        WorkerPool.Worker stuck;
        String why;
        synchronized (this) {
            if (ended || worker == null) {
                return;
            }
            long now = System.nanoTime();
            if (reason == null) {
                if (timeoutMillis > 0 && now - lastProgressNanos > timeoutMillis * 1_000_000) {
                    stop(id + " made no progress for " + timeoutMillis / 1000
                            + " s (mapreduce.task.timeout): it was stopped");
                }
                return;
            }
            boolean endsTheJvm = ExitGuard.isEndingTheJvm(worker);
            if (!endsTheJvm && now - stopNanos < graceMillis * 1_000_000) {
                if (!codeEnded && now - interruptNanos > TaskRun.INTERRUPT_AGAIN_NANOS) {
                    interruptNanos = now;
                    worker.interrupt();
                }
                return;
            }
            if (endsTheJvm) {
                reason = "Task " + id + " called System.exit, which ends this JVM and its jobs";
            }
            ended = true;
            stuck = worker;
            why = reason;
        }
        if (ExitGuard.isEndingTheJvm(stuck)) {
            LOG.error("{}; the output of {} is removed", why, owner.job().id());
        } else {
            LOG.warn("{} does not end after an interrupt: its thread is given up", id);
        }
        owner.pool().abandon(stuck);
        owner.ended(this, null, null, why);
    }
}
