package org.berth.shipped;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** A user's job in MapReduce's new API: it counts words, and what its maps see. */
public final class WordCount extends Configured implements Tool {
    /** Writes each word, and once what it sees. */
    public static final class Words extends Mapper<Object, Text, Text, IntWritable> {
        private static final IntWritable ONE = new IntWritable(1);

        @Override
        protected void setup(Context context) throws IOException, InterruptedException {
            // Maps that end at once would all be run by one thread.
            Thread.sleep(100);
            context.write(new Text("cpus " + SeenHere.mask()), ONE);
            context.write(new Text(SeenHere.hasBerth() ? "installed" : "shipped"), ONE);
        }

        @Override
        protected void map(Object place, Text line, Context context) throws IOException, InterruptedException {
            for (String word : line.toString().split(" ", -1)) {
                context.write(new Text(word), ONE);
            }
        }
    }

    @Override
    public int run(String[] arguments) throws Exception {
        Job job = Job.getInstance(getConf(), "words");
        job.setJarByClass(WordCount.class);
        job.setMapperClass(Words.class);
        job.setCombinerClass(IntSumReducer.class);
        job.setReducerClass(IntSumReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        FileInputFormat.addInputPath(job, new Path(arguments[0]));
        FileOutputFormat.setOutputPath(job, new Path(arguments[1]));
        return job.waitForCompletion(true) ? 0 : 1;
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(ToolRunner.run(new Configuration(), new WordCount(), arguments));
    }
}
