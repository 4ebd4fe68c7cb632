package org.berth.mapreduce.runtime;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MROutputFiles;
import org.apache.hadoop.mapred.MapOutputCollector;
import org.apache.hadoop.mapred.NewApiMapTask;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.berth.mapreduce.runtime.blocks.MapOutput;
import org.berth.mapreduce.runtime.sort.BufferPool;
import org.jspecify.annotations.Nullable;

/** Hadoop's map task with {@link BlockCollector} as its collector. */
public final class BerthMapTask extends NewApiMapTask {
    private final BufferPool pool;
    private final Configuration spillConf;
    private @Nullable MapOutput output;

    /**
     * One attempt.
     *
     * @param spillConf names the folders for spill files of the job
     */
    public BerthMapTask(
            String jobFile,
            TaskAttemptID attempt,
            int partition,
            TaskSplitIndex split,
            BufferPool pool,
            Configuration spillConf) {
        super(jobFile, attempt, partition, split);
        this.pool = pool;
        this.spillConf = spillConf;
    }

    @Override
    public void localizeConfiguration(JobConf jobConf) throws IOException {
        super.localizeConfiguration(jobConf);
        jobConf.setClass(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, BlockCollector.class, MapOutputCollector.class);
    }

    @Override
    protected MapOutputCollector<Object, Object> collector(MapOutputCollector.Context context)
            throws IOException, ClassNotFoundException {
        BlockCollector<Object, Object> collector = new BlockCollector<>();
        collector.init(context);
        return collector;
    }

    @Override
    public void setConf(Configuration conf) {
        super.setConf(conf);
        mapOutputFile = new NoOutputFile();
        mapOutputFile.setConf(conf);
    }

    /** Hadoop's task asks for the size of a file that does not exist, and logs an error for each map without one. */
    private static final class NoOutputFile extends MROutputFiles {
        @Override
        public Path getOutputFile() {
            return new Path("/");
        }
    }

    BufferPool pool() {
        return pool;
    }

    Configuration spillConf() {
        return spillConf;
    }

    void setOutput(MapOutput newOutput) {
        output = newOutput;
    }

    /** What the map left, complete or not; null for a job without reduces. */
    public @Nullable MapOutput output() {
        return output;
    }

    /** Removes the output that the attempt has written to the file system, after it failed. */
    public void abort() throws IOException {
        if (committer != null) {
            committer.abortTask(taskContext);
        }
    }
}
