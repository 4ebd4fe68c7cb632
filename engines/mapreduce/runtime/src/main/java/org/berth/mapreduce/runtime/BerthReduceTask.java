package org.berth.mapreduce.runtime;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ReduceTask;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRConfig;

/** Hadoop's own reduce task with {@link BlockShuffle} as its shuffle. */
public final class BerthReduceTask extends ReduceTask {
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
        super(jobFile, attempt, partition, maps, 1);
        this.outputs = outputs;
        this.partition = partition;
        this.spillConf = spillConf;
    }

    @Override
    public void localizeConfiguration(JobConf jobConf) throws IOException {
        super.localizeConfiguration(jobConf);
        jobConf.setClass(MRConfig.SHUFFLE_CONSUMER_PLUGIN, BlockShuffle.class, ShuffleConsumerPlugin.class);
    }

    java.util.List<Segment> segments() {
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
