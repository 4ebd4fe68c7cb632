package org.berth.mapreduce.spark;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.mapred.BerthAccess;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskID;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapreduce.TaskType;
import org.berth.mapreduce.client.BerthJob;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts of a job, at its driver. Spark repeats what it has lost; this table numbers Hadoop's attempts, counts failures of the
 * user's code, lets one attempt of a task commit, and records each task once. Thread-safe.
 */
final class Attempts {
    private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

    private final BerthJob job;
    private final boolean mapOnly;
    private final Map<TaskID, TaskState> tasks = new HashMap<>();
    private final Map<TaskAttemptID, Long> live = new HashMap<>();
    private final int[] lost = new int[2];
    private final int[] tolerated = new int[2];
    private final int[] maximum = new int[2];
    private @Nullable String failure;
    private @Nullable String stopped;

    private static final class TaskState {
        private int next;
        private int failures;
        private boolean succeeded;
        private boolean givenUp;
        private @Nullable TaskAttemptID committing;
    }

    Attempts(BerthJob job, int maps) {
        this.job = job;
        JobConf conf = job.conf();
        mapOnly = conf.getNumReduceTasks() == 0;
        maximum[0] = Math.max(1, conf.getMaxMapAttempts());
        maximum[1] = Math.max(1, conf.getMaxReduceAttempts());
        tolerated[0] = (int) ((long) maps * conf.getMaxMapTaskFailuresPercent() / 100);
        tolerated[1] = (int) ((long) conf.getNumReduceTasks() * conf.getMaxReduceTaskFailuresPercent() / 100);
    }

    String answer(TaskMessage message) {
        if (message.kind() == TaskMessage.Kind.START) {
            return start(task(message.task()), message.sparkTask());
        }
        TaskAttemptID attempt = TaskAttemptID.forName(message.task());
        return switch (message.kind()) {
            case PROGRESS -> progress(attempt, message.status());
            case CAN_COMMIT -> canCommit(attempt) ? TaskMessage.YES : TaskMessage.NO;
            case FAILED -> failed(attempt, message.text());
            case SUCCEEDED -> {
                succeeded(attempt, message.status());
                yield TaskMessage.YES;
            }
            case STOPPED -> {
                stopped(attempt, message.text());
                yield TaskMessage.YES;
            }
            default -> throw new IllegalArgumentException("a job has no answer to " + message.kind());
        };
    }

    /** The name of a task as its executor writes it; Hadoop reads names of jobs of its own only. */
    static String name(TaskID task) {
        return task.getTaskType() + " " + task.getId();
    }

    private TaskID task(String name) {
        String[] parts = name.split(" ", -1);
        return new TaskID(job.id(), TaskType.valueOf(parts[0]), Integer.parseInt(parts[1]));
    }

    private TaskState state(TaskID task) {
        return tasks.computeIfAbsent(task, id -> new TaskState());
    }

    private synchronized String start(TaskID id, long sparkTask) {
        if (stopped != null || failure != null) {
            return TaskMessage.JOB_ENDED;
        }
        TaskState task = state(id);
        boolean hasResult = id.getTaskType() == TaskType.REDUCE || mapOnly;
        if (task.givenUp || (task.succeeded && hasResult)) {
            // Its output is committed; only Spark does not know, because the executor was lost too early.
            return TaskMessage.DONE_BEFORE;
        }
        TaskAttemptID attempt = new TaskAttemptID(id, task.next++);
        live.put(attempt, sparkTask);
        return attempt.toString();
    }

    private synchronized String progress(TaskAttemptID attempt, byte[] bytes) {
        if (live.containsKey(attempt) && !state(attempt.getTaskID()).succeeded) {
            report(attempt, bytes);
        }
        return stopped == null ? TaskMessage.YES : TaskMessage.JOB_ENDED;
    }

    private void report(TaskAttemptID attempt, byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        TaskStatus status = BerthAccess.newStatus(attempt.getTaskType() == TaskType.MAP);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            status.readFields(in);
        } catch (IOException e) {
            LOG.warn("cannot read the progress of {}: {}", attempt, e.toString());
            return;
        }
        job.book().report(attempt, status);
    }

    private synchronized boolean canCommit(TaskAttemptID attempt) {
        TaskState task = state(attempt.getTaskID());
        if (stopped != null || !live.containsKey(attempt)) {
            return false;
        }
        if (task.committing == null) {
            task.committing = attempt;
        }
        return task.committing.equals(attempt);
    }

    private synchronized void succeeded(TaskAttemptID attempt, byte[] status) {
        TaskState task = state(attempt.getTaskID());
        if (!task.succeeded) {
            task.succeeded = true;
            report(attempt, status);
            job.book().succeeded(attempt);
        }
        end(attempt, task);
    }

    private void end(TaskAttemptID attempt, TaskState task) {
        live.remove(attempt);
        if (attempt.equals(task.committing)) {
            task.committing = null;
        }
        notifyAll();
    }

    private synchronized String failed(TaskAttemptID attempt, String why) {
        TaskState task = state(attempt.getTaskID());
        boolean ends = stopped != null || failure != null;
        int kind = attempt.getTaskType() == TaskType.MAP ? 0 : 1;
        boolean last = !ends && ++task.failures >= maximum[kind];
        if (!ends) {
            LOG.warn("{} failed: {}", attempt, why);
        }
        if (!task.succeeded) {
            job.book().failed(attempt, why, last, ends);
        }
        end(attempt, task);
        if (ends) {
            return TaskMessage.GIVE_UP;
        }
        if (!last) {
            return TaskMessage.RETRY;
        }
        task.givenUp = true;
        if (++lost[kind] <= tolerated[kind]) {
            return TaskMessage.TOLERATED;
        }
        failure = "Task " + attempt.getTaskID() + " failed " + task.failures + " times; its last failure: " + why;
        return TaskMessage.GIVE_UP;
    }

    /** Ends the job, because this attempt does not end. */
    synchronized void giveUp(TaskAttemptID attempt, String why) {
        if (live.containsKey(attempt)) {
            job.book().failed(attempt, why, true, false);
            end(attempt, state(attempt.getTaskID()));
        }
        if (failure == null) {
            failure = "Task " + attempt.getTaskID() + " failed for good: " + why;
        }
    }

    private synchronized void stopped(TaskAttemptID attempt, String why) {
        if (!live.containsKey(attempt)) {
            return;
        }
        TaskState task = state(attempt.getTaskID());
        if (!task.succeeded) {
            job.book().failed(attempt, why, false, true);
        }
        end(attempt, task);
    }

    /** Ends an attempt that could not tell it, because its executor was lost. */
    synchronized void lost(long sparkTask, String why) {
        for (Map.Entry<TaskAttemptID, Long> entry : Map.copyOf(live).entrySet()) {
            if (entry.getValue() == sparkTask) {
                stopped(entry.getKey(), why);
            }
        }
    }

    /** Returns Spark's number of an attempt that is under way, or -1. */
    synchronized long sparkTask(TaskAttemptID attempt) {
        return live.getOrDefault(attempt, -1L);
    }

    /** No attempt starts or commits any more. */
    synchronized void stop(String why) {
        if (stopped == null) {
            stopped = why;
        }
    }

    /** Returns why the job failed, or null. */
    synchronized @Nullable String failure() {
        return failure != null ? failure : stopped;
    }

    /** Waits until no attempt is under way. Returns the number of those that are. */
    synchronized int await(long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        while (!live.isEmpty()) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        return live.size();
    }
}
