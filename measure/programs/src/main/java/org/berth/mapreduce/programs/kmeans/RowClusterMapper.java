package org.berth.mapreduce.programs.kmeans;

import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/** The number of the cluster of each row, in the order of the rows of a file. */
final class RowClusterMapper extends Mapper<Object, Text, IntWritable, NullWritable> {
    private final IntWritable cluster = new IntWritable();
    private Assignment assignment = Assignment.NONE;

    @Override
    protected void setup(Mapper<Object, Text, IntWritable, NullWritable>.Context context) throws IOException {
        assignment = Assignment.open(context);
    }

    @Override
    protected void map(Object offset, Text line, Mapper<Object, Text, IntWritable, NullWritable>.Context context)
            throws IOException, InterruptedException {
        if (assignment.read(line)) {
            cluster.set(assignment.nearest());
            context.write(cluster, NullWritable.get());
        }
    }
}
