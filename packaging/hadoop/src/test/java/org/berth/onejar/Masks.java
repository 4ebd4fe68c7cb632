package org.berth.onejar;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** A user's job: each map writes the CPUs that the kernel allows its thread. */
public final class Masks extends Configured implements Tool {
    /** Reads a line, and writes the mask. */
    public static final class Map extends Mapper<LongWritable, Text, Text, NullWritable> {
        @Override
        protected void map(LongWritable offset, Text line, Context context) throws IOException, InterruptedException {
            // Maps that end at once would all be run by one thread.
            Thread.sleep(100);
            String mask = Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                    .filter(word -> word.startsWith("Cpus_allowed_list:"))
                    .findFirst()
                    .orElseThrow()
                    .replaceAll(".*:\\s*", "");
            context.write(new Text(mask), NullWritable.get());
        }
    }

    @Override
    public int run(String[] arguments) throws Exception {
        Configuration conf = getConf();
        conf.setInt(NLineInputFormat.LINES_PER_MAP, 1);
        Job job = Job.getInstance(conf, "masks");
        job.setJarByClass(Masks.class);
        job.setMapperClass(Map.class);
        job.setInputFormatClass(NLineInputFormat.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(NullWritable.class);
        FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(arguments[0]));
        FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(arguments[1]));
        return job.waitForCompletion(true) ? 0 : 1;
    }

    /** All arguments after those of ToolRunner are pairs of input and output: a job each. */
    public static void main(String[] arguments) throws Exception {
        List<String> options = new ArrayList<>(Arrays.asList(arguments));
        System.exit(ToolRunner.run(new Configuration(), new Masks(), options.toArray(String[]::new)));
    }
}
