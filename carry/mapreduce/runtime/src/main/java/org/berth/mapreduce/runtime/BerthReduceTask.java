package org.berth.mapreduce.runtime;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.CountingReduceContext;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.NewApiReduceTask;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.berth.mapreduce.runtime.blocks.MapOutputs;
import org.berth.mapreduce.runtime.blocks.Segment;
import org.berth.mapreduce.runtime.sort.RecordSource;

/** Hadoop's reduce task with {@link BlockShuffle} as its shuffle. */
public final class BerthReduceTask extends NewApiReduceTask {
    private final MapOutputs outputs;
    private final int partition;
    private final Configuration spillConf;

    /** One attempt over the outputs of all maps; the parameters are those of the map's. */
    public BerthReduceTask(
            String jobFile,
            TaskAttemptID attempt,
            int partition,
            int maps,
            MapOutputs outputs,
            Configuration spillConf) {
        super(jobFile, attempt, partition, maps);
        this.outputs = outputs;
        this.partition = partition;
        this.spillConf = spillConf;
    }

    @Override
    public void localizeConfiguration(JobConf jobConf) throws IOException {
        super.localizeConfiguration(jobConf);
        jobConf.setClass(MRConfig.SHUFFLE_CONSUMER_PLUGIN, BlockShuffle.class, ShuffleConsumerPlugin.class);
    }

    @Override
    protected ShuffleConsumerPlugin<Object, Object> shuffle() {
        return new BlockShuffle();
    }

    @Override
    @SuppressWarnings("unchecked")
    protected CountingReduceContext<Object, Object, Object, Object> context(
            JobConf job,
            RawKeyValueIterator records,
            RecordWriter<Object, Object> output,
            TaskReporter reporter,
            Counters.Counter groups,
            Counters.Counter values)
            throws IOException {
        RawComparator<?> grouping = job.getOutputValueGroupingComparator();
        return new GroupContext<>(
                job,
                getTaskID(),
                (RecordSource) records,
                groups,
                values,
                output,
                committer,
                reporter,
                new GroupContext.Grouping<>(
                        (Class<Object>) job.getMapOutputKeyClass(),
                        (Class<Object>) job.getMapOutputValueClass(),
                        grouping,
                        // Without one of its own, Hadoop groups by the comparator that sorts.
                        job.get(JobContext.GROUP_COMPARATOR_CLASS) == null,
                        true),
                new SerializationFactory(job));
    }

    List<Segment> segments() {
        return outputs.segments(partition);
    }

    Configuration spillConf() {
        return spillConf;
    }

    /** Removes the output that the attempt has written to the file system, after it failed. */
    public void abort() throws IOException {
        if (committer != null) {
            committer.abortTask(taskContext);
        }
    }
}
