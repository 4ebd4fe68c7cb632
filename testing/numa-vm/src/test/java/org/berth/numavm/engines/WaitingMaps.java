package org.berth.numavm.engines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** A client of the MapReduce engine: runs a job for each level, whose maps wait to be looked at. It prints how each job ended. */
public final class WaitingMaps {
    private WaitingMaps() {}

    /** The arguments are a folder with the folder {@code in}, the driver, the number of maps, and levels. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        for (int i = 3; i < arguments.length; i++) {
            Configuration conf = new Configuration();
            conf.set("mapreduce.framework.name", "berth");
            conf.set("berth.mapreduce.engine", arguments[1]);
            conf.set("berth.mapreduce.threads", arguments[2]);
            conf.set("berth.mapreduce.level", arguments[i]);
            conf.set("berth.mapreduce.guard", "off");
            conf.set("fs.defaultFS", "file:///");
            conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
            conf.set("mapreduce.task.timeout", "0");
            conf.set("test.folder", folder.resolve(arguments[i]).toString());
            Job job = Job.getInstance(conf, arguments[i]);
            job.setMapperClass(Waits.class);
            job.setNumReduceTasks(0);
            FileInputFormat.addInputPath(
                    job, new org.apache.hadoop.fs.Path(folder.resolve("in").toString()));
            FileOutputFormat.setOutputPath(
                    job,
                    new org.apache.hadoop.fs.Path(
                            folder.resolve("out-" + arguments[i]).toString()));
            System.out.println(arguments[i] + " " + job.waitForCompletion(false));
        }
        System.exit(0);
    }

    /** Touches some memory, tells where it runs, and waits. */
    public static final class Waits extends Mapper<LongWritable, Text, LongWritable, Text> {
        private byte[] memory = new byte[0];

        @Override
        protected void setup(Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws IOException, InterruptedException {
            memory = new byte[4 << 20];
            Path folder = Path.of(String.valueOf(context.getConfiguration().get("test.folder")));
            String thread =
                    Path.of("/proc/thread-self").toRealPath().getFileName().toString();
            Files.createFile(folder.resolve(
                    "map-" + ProcessHandle.current().pid() + "-" + thread + "-" + context.getTaskAttemptID()));
            while (!Files.exists(folder.resolve("go"))) {
                Thread.sleep(50);
            }
        }

        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws IOException, InterruptedException {
            context.write(new LongWritable(memory.length), value);
        }
    }
}
