package org.apache.hadoop.mapred;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystem.Statistics;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormatCounter;
import org.apache.hadoop.mapreduce.lib.reduce.WrappedReducer;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.Progress;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.NullMarked;

/**
 * Hadoop's reduce task with another context for reducers of the new API, for the reasons of {@link NewApiMapTask}. Reducers of
 * the old API and skipping of bad groups run in Hadoop's loop.
 */
@NullMarked
public abstract class NewApiReduceTask extends ReduceTask {
    protected NewApiReduceTask(String jobFile, TaskAttemptID attempt, int partition, int maps) {
        super(jobFile, attempt, partition, maps, 1);
    }

    /** Returns a shuffle that is not initialised. */
    protected abstract ShuffleConsumerPlugin<Object, Object> shuffle();

    /** Returns the context of the reducer over the records that the shuffle returned. */
    protected abstract CountingReduceContext<Object, Object, Object, Object> context(
            JobConf job,
            RawKeyValueIterator records,
            RecordWriter<Object, Object> output,
            TaskReporter reporter,
            Counters.Counter groups,
            Counters.Counter values)
            throws IOException, InterruptedException;

    @Override
    StoppingReporter startReporter(TaskUmbilicalProtocol newUmbilical) {
        return StoppingReporter.start(this, newUmbilical);
    }

    @Override
    @SuppressWarnings("NullAway") // Hadoop's word for: no codec, no combiner in the shuffle, no files of a local runner
    public void run(JobConf job, TaskUmbilicalProtocol newUmbilical)
            throws IOException, InterruptedException, ClassNotFoundException {
        if (!job.getUseNewReducer() || isSkipping()) {
            super.run(job, newUmbilical);
            return;
        }
        umbilical = newUmbilical;
        job.setBoolean(JobContext.SKIP_RECORDS, false);
        Progress copyPhase = getProgress().addPhase("copy");
        Progress sortPhase = getProgress().addPhase("sort");
        getProgress().addPhase("reduce");
        StoppingReporter reporter = startReporter(newUmbilical);
        initialize(job, getJobID(), reporter, true);
        CompressionCodec codec = job.getCompressMapOutput()
                ? ReflectionUtils.newInstance(job.getMapOutputCompressorClass(DefaultCodec.class), job)
                : null;
        ShuffleConsumerPlugin<Object, Object> shuffle = shuffle();
        shuffle.init(new ShuffleConsumerPlugin.Context<>(
                getTaskID(),
                job,
                FileSystem.getLocal(job),
                newUmbilical,
                lDirAlloc,
                reporter,
                codec,
                null,
                null,
                spilledRecordsCounter,
                counter(TaskCounter.COMBINE_INPUT_RECORDS),
                counter(TaskCounter.SHUFFLED_MAPS),
                counter(TaskCounter.REDUCE_SHUFFLE_BYTES),
                failedShuffleCounter,
                mergedMapOutputsCounter,
                taskStatus,
                copyPhase,
                sortPhase,
                this,
                mapOutputFile,
                null));
        RawKeyValueIterator records = shuffle.run();
        sortPhase.complete();
        setPhase(TaskStatus.Phase.REDUCE);
        statusUpdate(newUmbilical);
        reduce(job, reporter, records);
        shuffle.close();
        done(newUmbilical, reporter);
    }

    private Counters.Counter counter(Enum<?> name) {
        return getCounters().findCounter(name);
    }

    @SuppressWarnings("unchecked")
    private void reduce(JobConf job, StoppingReporter reporter, RawKeyValueIterator records)
            throws IOException, InterruptedException, ClassNotFoundException {
        TaskAttemptContextImpl context = new TaskAttemptContextImpl(job, getTaskID(), reporter);
        Reducer<Object, Object, Object, Object> reducer =
                (Reducer<Object, Object, Object, Object>) ReflectionUtils.newInstance(context.getReducerClass(), job);
        List<Statistics> statistics = outputFormat instanceof FileOutputFormat
                ? getFsStatistics(FileOutputFormat.getOutputPath(context), context.getConfiguration())
                : List.of();
        RecordWriter<Object, Object> output = new TrackedWriter<>(
                (org.apache.hadoop.mapreduce.OutputFormat<Object, Object>) outputFormat,
                context,
                reporter,
                counter(TaskCounter.REDUCE_OUTPUT_RECORDS),
                counter(FileOutputFormatCounter.BYTES_WRITTEN),
                new ThreadBytes(statistics, false));
        job.setBoolean("mapred.skip.on", false);
        CountingReduceContext<Object, Object, Object, Object> groups = context(
                job,
                records,
                output,
                reporter,
                counter(TaskCounter.REDUCE_INPUT_GROUPS),
                counter(TaskCounter.REDUCE_INPUT_RECORDS));
        Reducer<Object, Object, Object, Object>.Context wrapped =
                new WrappedReducer<Object, Object, Object, Object>().getReducerContext(groups);
        try {
            reporter.requireNoFailure();
            reducer.run(wrapped);
        } finally {
            groups.end();
            output.close(wrapped);
        }
    }
}
