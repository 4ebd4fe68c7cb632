package org.berth.mapreduce.client;

import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.jspecify.annotations.Nullable;

/** The tasks of one job in a driver. The driver records their progress in {@link BerthJob#book}. Thread-safe. */
public interface EngineJob extends AutoCloseable {
    /**
     * Runs all tasks and returns when none is under way any more. It is called once, after the set-up of the job's output.
     *
     * @return why the job failed, or null when all tasks have succeeded
     */
    @Nullable
    String run(TaskSplitMetaInfo[] splits) throws Exception;

    /** Stops all tasks, those that have not started included; it may be called before {@link #run}. */
    void stop(String why);

    /** Stops one attempt. Returns whether it is under way. */
    boolean stop(TaskAttemptID attempt, String why);

    /** Frees what the tasks have left. */
    @Override
    void close();
}
