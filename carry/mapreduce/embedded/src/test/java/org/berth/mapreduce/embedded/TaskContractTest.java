package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.Mapper;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.RunningJob;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;
import org.berth.hadoopjobs.TestJobs;
import org.berth.mapreduce.client.EngineSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Hadoop's own tests showed that programs count on: threads of a map, progress of a reduce, the failure of the last attempt. */
@Tag("one-jdk")
class TaskContractTest {
    private static final int THREADS = 4;
    private static final int RECORDS = 20_000;
    private static final List<Float> PROGRESS = Collections.synchronizedList(new ArrayList<>());

    @TempDir
    Path work;

    @BeforeEach
    void input() throws IOException {
        Files.createDirectories(work.resolve("in"));
        Files.writeString(work.resolve("in/a"), "one\ntwo\nthree\nfour\n");
    }

    /** Threads of its own write at the same time, as those of MultithreadedMapRunner do. */
    static final class ManyThreads extends MapReduceBase implements Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        public void map(LongWritable key, Text value, OutputCollector<LongWritable, Text> output, Reporter reporter)
                throws IOException {
            List<Thread> threads = new ArrayList<>();
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            for (int t = 0; t < THREADS; t++) {
                int first = t * RECORDS;
                Thread thread = new Thread(() -> {
                    try {
                        for (int i = 0; i < RECORDS; i++) {
                            output.collect(new LongWritable(first + i), new Text("v" + (first + i)));
                        }
                    } catch (IOException | RuntimeException e) {
                        failures.add(e);
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            if (!failures.isEmpty()) {
                throw new IOException(failures.get(0));
            }
        }
    }

    @Test
    void threadsOfOneMapCollectAtTheSameTime() throws Exception {
        Files.writeString(work.resolve("in/a"), "one\n");
        JobConf conf = new JobConf(TestJobs.conf("berth", work));
        conf.setMapperClass(ManyThreads.class);
        conf.setOutputKeyClass(LongWritable.class);
        conf.setOutputValueClass(Text.class);
        conf.setMaxMapAttempts(1);
        FileInputFormat.addInputPath(
                conf, new org.apache.hadoop.fs.Path(work.resolve("in").toString()));
        FileOutputFormat.setOutputPath(
                conf, new org.apache.hadoop.fs.Path(work.resolve("out").toString()));
        RunningJob job = JobClient.runJob(conf);
        assertThat(job.isSuccessful()).isTrue();
        List<String> lines = Files.readAllLines(work.resolve("out/part-00000"));
        assertThat(lines).hasSize(THREADS * RECORDS);
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i)).isEqualTo(i + "\tv" + i);
        }
    }

    static final class TellsProgress extends Reducer<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void reduce(
                LongWritable key,
                Iterable<Text> values,
                Reducer<LongWritable, Text, LongWritable, Text>.Context context) {
            PROGRESS.add(context.getProgress());
        }
    }

    private Job job(String out) throws IOException {
        Job job = Job.getInstance(TestJobs.conf("berth", work));
        job.setOutputKeyClass(LongWritable.class);
        job.setOutputValueClass(Text.class);
        org.apache.hadoop.mapreduce.lib.input.FileInputFormat.addInputPath(
                job, new org.apache.hadoop.fs.Path(work.resolve("in").toString()));
        org.apache.hadoop.mapreduce.lib.output.FileOutputFormat.setOutputPath(
                job, new org.apache.hadoop.fs.Path(work.resolve(out).toString()));
        return job;
    }

    @Test
    void reduceOfFewRecordsMakesProgressWithEach() throws Exception {
        PROGRESS.clear();
        Job job = job("out");
        job.setReducerClass(TellsProgress.class);
        assertThat(job.waitForCompletion(false)).isTrue();
        // A context reads one record ahead, so the last two see the end.
        assertThat(PROGRESS).hasSize(4).isSorted();
        assertThat(PROGRESS.subList(0, 3))
                .doesNotHaveDuplicates()
                .allSatisfy(part -> assertThat(part).isGreaterThan(2 / 3f));
    }

    static final class Fails extends org.apache.hadoop.mapreduce.Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void map(
                LongWritable key,
                Text value,
                org.apache.hadoop.mapreduce.Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws IOException {
            throw new IOException("always");
        }
    }

    /** Once the job's thread saw that nothing runs before it saw the failure. The window is short: hence the repetition. */
    @Test
    void jobWhoseLastAttemptFailsNeverSucceeds() throws Exception {
        for (int i = 0; i < 25; i++) {
            Job job = job("out" + i);
            job.setMapperClass(Fails.class);
            job.setNumReduceTasks(0);
            job.getConfiguration().setInt("mapreduce.map.maxattempts", 1);
            job.getConfiguration().setInt("mapreduce.client.completion.pollinterval", 5);
            job.getConfiguration().setInt(EngineSettings.THREADS, 1);
            assertThat(job.waitForCompletion(false)).isFalse();
            assertThat(work.resolve("out" + i + "/_SUCCESS")).doesNotExist();
        }
    }
}
