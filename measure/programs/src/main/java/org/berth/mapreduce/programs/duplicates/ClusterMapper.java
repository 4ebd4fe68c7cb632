package org.berth.mapreduce.programs.duplicates;

import java.io.IOException;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.berth.mapreduce.programs.reads.Fragment;

/** Sends each fragment to the cluster of its first bases. */
final class ClusterMapper extends Mapper<LongWritable, Fragment, BytesWritable, Fragment> {
    private final BytesWritable key = new BytesWritable();
    private int prefix;

    /** For Hadoop. */
    ClusterMapper() {}

    @Override
    protected void setup(Context context) {
        prefix = context.getConfiguration().getInt(RemoveDuplicates.PREFIX, RemoveDuplicates.DEFAULT_PREFIX);
    }

    @Override
    protected void map(LongWritable id, Fragment fragment, Context context) throws IOException, InterruptedException {
        ClusterKey.set(key, fragment, prefix, id.get());
        context.write(key, fragment);
    }
}
