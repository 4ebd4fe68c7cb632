package org.berth.mapreduce.client;

import java.io.IOException;
import org.apache.hadoop.mapred.BerthAccess;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapreduce.MRConfig;
import org.berth.mapreduce.runtime.BerthMapTask;
import org.berth.mapreduce.runtime.BerthReduceTask;
import org.berth.mapreduce.runtime.blocks.MapOutput;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one attempt of a task on the calling thread, and removes what it leaves when it fails. */
public final class TaskRun {
    private static final Logger LOG = LoggerFactory.getLogger(TaskRun.class);

    /**
     * Time after which a task that was told to end is interrupted again. Hadoop's Shell, for one, loses an interrupt that comes while
     * it waits for a program.
     */
    public static final long INTERRUPT_AGAIN_NANOS = 5_000_000_000L;

    private TaskRun() {}

    /**
     * Returns the output of a map that has reduces, and null for other tasks.
     *
     * @param conf a copy for this task alone
     * @param localDirs folders for its files
     * @param users in whose name it runs
     */
    public static @Nullable MapOutput run(
            Task task, JobConf conf, String[] localDirs, TaskListener listener, TaskUsers.Lease users)
            throws IOException, InterruptedException, ClassNotFoundException {
        boolean done = false;
        try {
            task.localizeConfiguration(conf);
            conf.setStrings(MRConfig.LOCAL_DIR, localDirs);
            task.setConf(conf);
            listener.requireNoFailure(task.getTaskID());
            task.run(conf, new TaskUmbilical(listener, users));
            done = true;
        } finally {
            BerthAccess.endReports(task);
            listener.codeEnded(task.getTaskID());
            if (!done) {
                cleanUp(task);
            }
        }
        return task instanceof BerthMapTask map ? map.output() : null;
    }

    private static void cleanUp(Task task) {
        // A killed attempt is interrupted; file systems refuse to work for such a thread.
        Thread.interrupted();
        try {
            if (task instanceof BerthMapTask map) {
                MapOutput output = map.output();
                if (output != null) {
                    output.release();
                }
                map.abort();
            } else if (task instanceof BerthReduceTask reduce) {
                reduce.abort();
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("cannot remove the output of the failed attempt {}: {}", task.getTaskID(), e.toString());
        }
    }
}
