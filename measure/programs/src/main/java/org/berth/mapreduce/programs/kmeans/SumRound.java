package org.berth.mapreduce.programs.kmeans;

import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;

/** One iteration: rows go to the nearest centroid, and their mean is the next one. */
final class SumRound {
    private SumRound() {}

    static final class Assign extends Mapper<Object, Text, IntWritable, ClusterSums> {
        private final IntWritable cluster = new IntWritable();
        private final ClusterSums sums = new ClusterSums();
        private Assignment assignment = Assignment.NONE;

        @Override
        protected void setup(Mapper<Object, Text, IntWritable, ClusterSums>.Context context) throws IOException {
            assignment = Assignment.open(context);
        }

        @Override
        protected void map(Object offset, Text line, Mapper<Object, Text, IntWritable, ClusterSums>.Context context)
                throws IOException, InterruptedException {
            if (assignment.read(line)) {
                cluster.set(assignment.nearest());
                sums.set(assignment.row(), assignment.squaredDistance());
                context.write(cluster, sums);
            }
        }
    }

    static final class Combine extends Reducer<IntWritable, ClusterSums, IntWritable, ClusterSums> {
        private final ClusterSums all = new ClusterSums();

        @Override
        protected void reduce(
                IntWritable cluster,
                Iterable<ClusterSums> values,
                Reducer<IntWritable, ClusterSums, IntWritable, ClusterSums>.Context context)
                throws IOException, InterruptedException {
            all.clear();
            values.forEach(all::add);
            context.write(cluster, all);
        }
    }

    /** Writes {@code CLUSTER TAB COST,MEAN,…}. */
    static final class Mean extends Reducer<IntWritable, ClusterSums, IntWritable, Text> {
        private final ClusterSums all = new ClusterSums();
        private final Text line = new Text();

        @Override
        protected void reduce(
                IntWritable cluster,
                Iterable<ClusterSums> values,
                Reducer<IntWritable, ClusterSums, IntWritable, Text>.Context context)
                throws IOException, InterruptedException {
            all.clear();
            values.forEach(all::add);
            line.set(all.cost() + "," + Centroids.text(all.mean()));
            context.write(cluster, line);
        }
    }
}
