package org.berth.mapreduce.client;

import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskStatus;

/** Receives what a task reports while it runs. */
public interface TaskListener {
    /** Takes progress and counters. */
    void report(TaskAttemptID attempt, TaskStatus status);

    /** Stops an attempt that cannot go on. */
    void fatal(TaskAttemptID attempt, String why);

    /** The attempt's code has ended, well or not. What follows removes what a failed one has written, and must not be interrupted. */
    void codeEnded(TaskAttemptID attempt);

    /**
     * For an attempt that is about to run code of the user.
     *
     * @throws IllegalStateException when it was stopped or has failed
     */
    void requireNoFailure(TaskAttemptID attempt);

    /** Returns whether the attempt may commit its output now; the task asks again until it may. */
    boolean canCommit(TaskAttemptID attempt);
}
