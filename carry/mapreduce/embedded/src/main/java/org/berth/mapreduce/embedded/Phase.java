package org.berth.mapreduce.embedded;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.jspecify.annotations.Nullable;

/** All maps or all reduces of a job: attempts that are under way, repeated or failed for good. Thread-safe. */
final class Phase {
    private final EmbeddedJob job;
    private final boolean map;
    private final int tasks;
    private final int maxAttempts;
    private final int tolerated;
    private final int[] attempts;
    private final Map<TaskAttemptID, Attempt> live = new HashMap<>();
    private int lost;
    private boolean stopped;
    private @Nullable String failure;

    /** @param toleratedPercent tasks of a hundred that may fail for good */
    Phase(EmbeddedJob job, boolean map, int tasks, int maxAttempts, int toleratedPercent) {
        this.job = job;
        this.map = map;
        this.tasks = tasks;
        this.maxAttempts = Math.max(1, maxAttempts);
        this.tolerated = (int) ((long) tasks * toleratedPercent / 100);
        this.attempts = new int[tasks];
    }

    /** Starts all tasks, unless the phase was stopped before. */
    synchronized void start() {
        for (int i = 0; i < tasks && !stopped; i++) {
            submit(i);
        }
    }

    private void submit(int task) {
        Attempt attempt = new Attempt(job, map, task, attempts[task]++);
        live.put(attempt.id(), attempt);
        job.pool().submit(attempt);
    }

    /** Returns why the phase failed, or null when all is done; after a stop no attempt is under way any more. */
    @Nullable
    String await(long timeoutMillis, long graceMillis) throws InterruptedException {
        while (true) {
            Attempt[] running;
            synchronized (this) {
                if (live.isEmpty()) {
                    return failure;
                }
                wait(250);
                running = live.values().toArray(Attempt[]::new);
            }
            for (Attempt attempt : running) {
                attempt.check(timeoutMillis, graceMillis);
            }
        }
    }

    synchronized void progressed(TaskAttemptID id) {
        Attempt attempt = live.get(id);
        if (attempt != null) {
            attempt.progressed();
        }
    }

    private synchronized @Nullable Attempt live(TaskAttemptID id) {
        return live.get(id);
    }

    void requireNoFailure(TaskAttemptID id) {
        Attempt attempt = live(id);
        if (attempt == null) {
            throw new IllegalStateException(id + " was given up");
        }
        attempt.requireNoFailure();
    }

    void codeEnded(TaskAttemptID id) {
        Attempt attempt = live(id);
        if (attempt != null) {
            attempt.codeEnded();
        }
    }

    boolean stop(TaskAttemptID id, String why) {
        Attempt attempt = live(id);
        if (attempt == null) {
            return false;
        }
        attempt.stop(why);
        return true;
    }

    void stop(String why) {
        Attempt[] running;
        synchronized (this) {
            stopped = true;
            if (failure == null) {
                failure = why;
            }
            running = live.values().toArray(Attempt[]::new);
        }
        // All of them before the first interrupt: the thread that it frees would start an attempt that is in the queue.
        for (Attempt attempt : running) {
            attempt.mark(why);
        }
        for (Attempt attempt : running) {
            attempt.interrupt();
        }
    }

    synchronized void succeeded(Attempt attempt) {
        live.remove(attempt.id());
        notifyAll();
    }

    /** Returns whether it counts as a failure: an attempt of a phase that was stopped does not. */
    boolean failed(Attempt attempt, String why) {
        boolean counts;
        String end = null;
        synchronized (this) {
            boolean last = attempts[attempt.index()] >= maxAttempts;
            counts = !stopped;
            // Before the next attempt can report: this clears the counters of the task.
            job.job().book().failed(attempt.id(), why, last, stopped);
            if (last && !stopped) {
                if (++lost > tolerated) {
                    end = "Task " + attempt.id().getTaskID() + " failed " + attempts[attempt.index()]
                            + " times; its last failure: " + why;
                    // With the last attempt gone, the job's thread looks at once whether the phase has failed.
                    stopped = true;
                    failure = end;
                }
            } else if (!stopped) {
                submit(attempt.index());
            }
            live.remove(attempt.id());
            notifyAll();
        }
        if (end != null) {
            stop(end);
        }
        return counts;
    }
}
