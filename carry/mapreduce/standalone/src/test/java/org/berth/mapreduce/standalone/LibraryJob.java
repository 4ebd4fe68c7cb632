package org.berth.mapreduce.standalone;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** A program with -libjars, -files and -archives, whose second job is still running when the first one has ended. */
public final class LibraryJob extends Configured implements Tool {
    private static final String WAIT = "test.wait.for";

    /** A class that is only in the jar that -libjars names. */
    public static final class Library {
        private Library() {}

        static String greet(String word) {
            return "hello " + word;
        }
    }

    /** Opens the files as programs do that know their names only. */
    public static final class Opens extends Mapper<LongWritable, Text, Text, Text> {
        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, Text, Text>.Context context)
                throws IOException, InterruptedException {
            String signal = context.getConfiguration().get(WAIT, "");
            while (!signal.isEmpty() && !new File(signal).exists()) {
                Thread.sleep(10);
                context.progress();
            }
            String[] names = new File("unpacked").list();
            Arrays.sort(names);
            context.write(
                    new Text(Library.greet(value.toString())),
                    new Text(Files.readString(new File("link").toPath()).trim() + " " + String.join(",", names)));
        }
    }

    private Job job(String in, String out) throws IOException {
        Job job = Job.getInstance(getConf());
        job.setJarByClass(LibraryJob.class);
        job.setMapperClass(Opens.class);
        job.setNumReduceTasks(0);
        FileInputFormat.addInputPath(job, new Path(in));
        FileOutputFormat.setOutputPath(job, new Path(out));
        return job;
    }

    @Override
    public int run(String[] args) throws Exception {
        File signal = new File(args[1] + "-ended");
        Job first = job(args[0], args[1]);
        Job second = job(args[0], args[1] + "-second");
        second.getConfiguration().set(WAIT, signal.getPath());
        first.submit();
        second.submit();
        boolean succeeded = first.waitForCompletion(false);
        Files.writeString(signal.toPath(), "");
        return second.waitForCompletion(false) && succeeded ? 0 : 1;
    }

    public static void main(String[] args) throws Exception {
        System.exit(ToolRunner.run(new LibraryJob(), args));
    }
}
