package org.berth.mapreduce.client;

import java.io.IOException;
import org.apache.hadoop.mapred.FileOutputCommitter;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.ReflectionUtils;

/** The committer of a job's output, by the API that the job uses. */
final class Committers {
    private Committers() {}

    static OutputCommitter of(JobConf conf, JobID id) throws IOException, InterruptedException, ClassNotFoundException {
        boolean newApi = conf.getNumReduceTasks() == 0 ? conf.getUseNewMapper() : conf.getUseNewReducer();
        if (!newApi) {
            return conf.getOutputCommitter() == null
                    ? ReflectionUtils.newInstance(FileOutputCommitter.class, conf)
                    : conf.getOutputCommitter();
        }
        TaskAttemptContext context =
                new TaskAttemptContextImpl(conf, new TaskAttemptID(new TaskID(id, TaskType.MAP, 0), 0));
        OutputFormat<?, ?> format = ReflectionUtils.newInstance(context.getOutputFormatClass(), conf);
        return format.getOutputCommitter(context);
    }
}
