package org.berth.mapreduce.spark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.Sort;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.ToolRunner;
import org.berth.hadoopjobs.Mappers;
import org.berth.hadoopjobs.StaticState;
import org.berth.hadoopjobs.TestJobs;

/** A client in a JVM of its own: runs a job for each line of its standard input, and prints how it ended. */
final class ClusterProgram {
    private ClusterProgram() {}

    static Configuration conf(String framework, Path work) {
        Configuration conf = TestJobs.conf(framework, work);
        conf.set("berth.mapreduce.engine", "spark");
        conf.set("spark.ui.enabled", "false");
        return conf;
    }

    public static void main(String[] arguments) throws Exception {
        Path work = Path.of(arguments[0]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Configuration conf = conf("berth", work);
            conf.set("berth.mapreduce.level", "core");
            conf.setInt("mapreduce.map.maxattempts", 2);
            if (line.equals("sort")) {
                System.out.println("sort " + ToolRunner.run(conf, new Sort<>(), sort(work, "sort")));
                continue;
            }
            Job job;
            if (line.equals("slow")) {
                job = gated(conf, work, "slow");
                job.setMapperClass(Slow.class);
                job.setNumReduceTasks(0);
            } else if (line.equals("small")) {
                conf.set("berth.mapreduce.memory.bytes", "16k");
                conf.set("berth.mapreduce.buffer.bytes", "1k");
                conf.set("berth.mapreduce.sort.bytes", "2k");
                conf.setBoolean("mapreduce.map.output.compress", true);
                job = TestJobs.wordCount(conf, work.resolve("in"), work.resolve("small"), 2);
            } else if (line.equals("wordcount")) {
                job = TestJobs.wordCount(conf, work.resolve("in"), work.resolve("out"), 3);
            } else if (line.equals("failing")) {
                job = TestJobs.wordCount(conf, work.resolve("in"), work.resolve("failed"), 1);
                job.setMapperClass(Fails.class);
            } else if (line.equals("exit") || line.equals("thread")) {
                conf.set("way", line);
                job = TestJobs.of(conf, Mappers.Exits.class, work, line, 1);
            } else if (line.equals("hangs")) {
                conf.setInt("mapreduce.task.timeout", 1000);
                conf.setInt("mapreduce.task.exit.timeout", 500);
                conf.set("test.open", work.resolve("hangs.open").toString());
                job = TestJobs.of(conf, HangsOnce.class, work, line, 0);
            } else if (line.equals("isolated")) {
                conf.set("berth.mapreduce.isolation", "classloader");
                job = StaticState.job(conf, work, line);
            } else {
                job = gated(conf, work, "gated");
            }
            boolean success = job.waitForCompletion(false);
            System.out.println(line + " " + success + " "
                    + job.getCounters().findCounter("test", "maps").getValue() + " "
                    + job.getCounters().findCounter("test", "reduces").getValue() + " "
                    + TestJobs.comparable(job.getCounters()) + " "
                    + job.getStatus().getFailureInfo().replace('\n', '|'));
        }
        System.out.println("end");
    }

    /** Arguments of Hadoop's program that sorts. */
    static String[] sort(Path work, String out) {
        String options = "-r 2 -inFormat org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat -outFormat "
                + "org.apache.hadoop.mapreduce.lib.output.TextOutputFormat -outKey org.apache.hadoop.io.Text -outValue "
                + "org.apache.hadoop.io.Text";
        return (options + " " + work.resolve("in") + " " + work.resolve(out)).split(" ", -1);
    }

    private static Job gated(Configuration conf, Path work, String out) throws IOException {
        conf.set("test.folder", work.toString());
        Job job = Job.getInstance(conf, "gated");
        job.setMapperClass(Waits.class);
        job.setReducerClass(WaitsToo.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(LongWritable.class);
        job.setNumReduceTasks(2);
        if (out.equals("gated")) {
            job.addCacheFile(work.resolve("cached").toUri());
        }
        FileInputFormat.addInputPath(
                job, new org.apache.hadoop.fs.Path(work.resolve("few").toString()));
        FileOutputFormat.setOutputPath(
                job, new org.apache.hadoop.fs.Path(work.resolve(out).toString()));
        return job;
    }

    /** Tells that a task runs, where, and waits for a file. */
    private static void await(Configuration conf, TaskAttemptID id, String phase) throws IOException {
        Path folder = Path.of(String.valueOf(conf.get("test.folder")));
        String thread = Path.of("/proc/thread-self").toRealPath().getFileName().toString();
        Files.createDirectories(folder.resolve(phase));
        Files.createFile(folder.resolve(phase)
                .resolve(id.getTaskID().getId() + "-" + id.getId() + "-"
                        + ProcessHandle.current().pid() + "-" + thread));
        while (!Files.exists(folder.resolve(phase + ".open"))) {
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static final class Fails extends Mapper<LongWritable, Text, Text, LongWritable> {
        @Override
        protected void map(
                LongWritable key, Text value, Mapper<LongWritable, Text, Text, LongWritable>.Context context) {
            throw new UnsupportedOperationException("the user's own words");
        }
    }

    /** The first attempt of the first map ends only when it is killed. */
    static final class Slow extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws IOException, InterruptedException {
            context.getCounter("test", "maps").increment(1);
            context.write(key, value);
            TaskAttemptID id = context.getTaskAttemptID();
            if (id.getTaskID().getId() == 0 && id.getId() == 0) {
                new java.util.concurrent.CountDownLatch(1).await();
            }
        }
    }

    /** The first attempt of the first map does not end, whatever interrupts it. */
    static final class HangsOnce extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws IOException, InterruptedException {
            context.write(key, value);
            TaskAttemptID id = context.getTaskAttemptID();
            if (id.getTaskID().getId() == 0 && id.getId() == 0) {
                new Mappers.Hangs().map(key, value, context);
            }
        }
    }

    static final class Waits extends Mapper<LongWritable, Text, Text, LongWritable> {
        private String prefix = "";

        @Override
        protected void setup(Mapper<LongWritable, Text, Text, LongWritable>.Context context) throws IOException {
            prefix = Files.readString(
                    Path.of(context.getConfiguration().getStrings("mapreduce.job.cache.local.files")[0]));
            await(context.getConfiguration(), context.getTaskAttemptID(), "maps");
        }

        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, Text, LongWritable>.Context context)
                throws IOException, InterruptedException {
            context.getCounter("test", "maps").increment(1);
            context.write(new Text(prefix + value), key);
        }
    }

    static final class WaitsToo extends Reducer<Text, LongWritable, Text, LongWritable> {
        @Override
        protected void setup(Reducer<Text, LongWritable, Text, LongWritable>.Context context) throws IOException {
            await(context.getConfiguration(), context.getTaskAttemptID(), "reduces");
        }

        @Override
        protected void reduce(
                Text key,
                Iterable<LongWritable> values,
                Reducer<Text, LongWritable, Text, LongWritable>.Context context)
                throws IOException, InterruptedException {
            for (LongWritable value : values) {
                context.getCounter("test", "reduces").increment(1);
                context.write(key, value);
            }
        }
    }
}
