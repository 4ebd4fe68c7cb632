package org.berth.mapreduce.embedded;

import java.lang.reflect.UndeclaredThrowableException;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.util.StringUtils;
import org.berth.mapreduce.client.BerthJob;
import org.berth.mapreduce.client.EngineJob;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.mapreduce.client.ExitGuard;
import org.berth.mapreduce.client.Isolation;
import org.berth.mapreduce.client.TaskListener;
import org.berth.mapreduce.runtime.BerthMapTask;
import org.berth.mapreduce.runtime.BerthReduceTask;
import org.berth.mapreduce.runtime.blocks.MapOutput;
import org.berth.mapreduce.runtime.blocks.MapOutputs;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tasks of a job: first its maps, then its reduces, on the worker threads. */
final class EmbeddedJob implements EngineJob, TaskListener {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedJob.class);

    private final BerthJob job;
    private final Isolation isolation;
    private final WorkerPool pool;
    private TaskSplitMetaInfo[] splits = new TaskSplitMetaInfo[0];
    private MapOutputs outputs = new MapOutputs(0);
    private volatile @Nullable Phase maps;
    private volatile @Nullable Phase reduces;
    private volatile @Nullable String stopped;

    EmbeddedJob(BerthJob job) {
        this.job = job;
        this.isolation = new Isolation(job.conf(), job::classLoader, job::separateClassLoader);
        this.pool = WorkerPool.of(EngineSettings.of(job.conf()));
        ExitGuard.install();
    }

    BerthJob job() {
        return job;
    }

    Isolation isolation() {
        return isolation;
    }

    WorkerPool pool() {
        return pool;
    }

    BerthMapTask mapTask(Attempt attempt) {
        return new BerthMapTask(
                job.file().toString(),
                attempt.id(),
                attempt.index(),
                splits[attempt.index()].getSplitIndex(),
                pool.buffers(),
                job.spillConf());
    }

    BerthReduceTask reduceTask(Attempt attempt) {
        return new BerthReduceTask(
                job.file().toString(), attempt.id(), attempt.index(), splits.length, outputs, job.spillConf());
    }

    @Override
    public @Nullable String run(TaskSplitMetaInfo[] newSplits) throws InterruptedException {
        splits = newSplits;
        outputs = new MapOutputs(splits.length);
        JobConf conf = job.conf();
        String why = phase(true, splits.length, conf.getMaxMapAttempts(), conf.getMaxMapTaskFailuresPercent());
        if (why == null && stopped == null) {
            why = phase(
                    false,
                    conf.getNumReduceTasks(),
                    conf.getMaxReduceAttempts(),
                    conf.getMaxReduceTaskFailuresPercent());
        }
        return why != null ? why : stopped;
    }

    private @Nullable String phase(boolean map, int tasks, int attempts, int tolerated) throws InterruptedException {
        Phase phase = new Phase(this, map, tasks, attempts, tolerated);
        if (map) {
            maps = phase;
        } else {
            reduces = phase;
        }
        String why = stopped;
        if (why != null) {
            phase.stop(why);
        }
        phase.start();
        return phase.await(
                job.conf().getLong(MRJobConfig.TASK_TIMEOUT, MRJobConfig.DEFAULT_TASK_TIMEOUT_MILLIS),
                job.conf().getLong("mapreduce.task.exit.timeout", 60_000));
    }

    /** Called once for each attempt, by its thread or by the job's when the former is stuck. */
    void ended(Attempt attempt, @Nullable MapOutput output, @Nullable Throwable error, @Nullable String reason) {
        Phase phase = attempt.isMap() ? maps : reduces;
        if (phase == null) {
            return;
        }
        if (error == null && reason == null) {
            if (output != null) {
                outputs.put(attempt.index(), output);
            }
            if (!attempt.isMap()) {
                outputs.release(attempt.index());
            }
            job.book().succeeded(attempt.id());
            phase.succeeded(attempt);
            return;
        }
        if (output != null) {
            output.release();
        }
        String why = reason != null ? reason : text(unwrapped(error));
        if (phase.failed(attempt, why)) {
            LOG.warn("{} failed: {}", attempt.id(), why);
        }
    }

    /** An attempt must end also where the heap is full. */
    private static String text(Throwable error) {
        try {
            return StringUtils.stringifyException(error);
        } catch (OutOfMemoryError e) {
            return "java.lang.OutOfMemoryError, without room for its stack trace";
        }
    }

    private static Throwable unwrapped(@Nullable Throwable error) {
        Throwable cause = error instanceof UndeclaredThrowableException ? error.getCause() : error;
        return cause == null ? new IllegalStateException("a task ended without a reason", error) : cause;
    }

    @Override
    public void report(TaskAttemptID attempt, TaskStatus status) {
        job.book().report(attempt, status);
        Phase phase = attempt.getTaskType() == TaskType.MAP ? maps : reduces;
        if (phase != null) {
            phase.progressed(attempt);
        }
    }

    @Override
    public void fatal(TaskAttemptID attempt, String why) {
        stop(attempt, why);
    }

    @Override
    public void codeEnded(TaskAttemptID attempt) {
        Phase phase = attempt.getTaskType() == TaskType.MAP ? maps : reduces;
        if (phase != null) {
            phase.codeEnded(attempt);
        }
    }

    @Override
    public void requireNoFailure(TaskAttemptID attempt) {
        Phase phase = attempt.getTaskType() == TaskType.MAP ? maps : reduces;
        if (phase != null) {
            phase.requireNoFailure(attempt);
        }
    }

    @Override
    public boolean canCommit(TaskAttemptID attempt) {
        requireNoFailure(attempt);
        return true;
    }

    @Override
    public boolean stop(TaskAttemptID attempt, String why) {
        Phase phase = attempt.getTaskType() == TaskType.MAP ? maps : reduces;
        return phase != null && phase.stop(attempt, why);
    }

    @Override
    public void stop(String why) {
        stopped = why;
        for (Phase phase : new Phase[] {maps, reduces}) {
            if (phase != null) {
                phase.stop(why);
            }
        }
    }

    @Override
    public void close() {
        outputs.release();
        isolation.close();
    }
}
