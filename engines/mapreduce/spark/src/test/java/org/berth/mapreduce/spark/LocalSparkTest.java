package org.berth.mapreduce.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.Grep;
import org.apache.hadoop.examples.SecondarySort;
import org.apache.hadoop.examples.Sort;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RunningJob;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.berth.oracle.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop jobs on Spark in this JVM: the same bytes and counters as from Hadoop's local runner; failures, kills, cache files. */
@Tag("one-jdk")
@Timeout(300)
class LocalSparkTest {
    private static final AtomicInteger CALLS = new AtomicInteger();
    private static volatile CountDownLatch started = new CountDownLatch(1);

    @TempDir
    Path work;

    @BeforeEach
    void noCalls() {
        CALLS.set(0);
        started = new CountDownLatch(1);
    }

    private Configuration conf(String framework) {
        Configuration conf = Jobs.conf(framework, work);
        conf.set(SparkSettings.MASTER, "local[2]");
        return conf;
    }

    private org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path(work.resolve(name).toString());
    }

    @Test
    void wordCountHasTheSameOutputAndCounters() throws Exception {
        Jobs.text(work.resolve("in"), 3, 800, 1);
        Job expected = Jobs.wordCount(conf("local"), work.resolve("in"), work.resolve("expected"), 3);
        assertThat(expected.waitForCompletion(false)).isTrue();
        Job job = Jobs.wordCount(conf("berth"), work.resolve("in"), work.resolve("out"), 3);
        assertThat(job.waitForCompletion(true)).isTrue();
        assertThat(Jobs.output(work.resolve("out"))).isEqualTo(Jobs.output(work.resolve("expected")));
        assertThat(Jobs.comparable(job)).isEqualTo(Jobs.comparable(expected));
        assertThat(job.mapProgress()).isEqualTo(1f);
        assertThat(job.reduceProgress()).isEqualTo(1f);
    }

    @Test
    void wordCountWithoutMemoryForBlocksHasTheSameOutput() throws Exception {
        Jobs.text(work.resolve("in"), 2, 4000, 2);
        assertThat(Jobs.wordCount(conf("local"), work.resolve("in"), work.resolve("expected"), 2)
                        .waitForCompletion(false))
                .isTrue();
        Configuration conf = conf("berth");
        conf.set("berth.mapreduce.memory.bytes", "16k");
        conf.set("berth.mapreduce.buffer.bytes", "1k");
        conf.set("berth.mapreduce.sort.bytes", "2k");
        conf.setBoolean("mapreduce.map.output.compress", true);
        Job job = Jobs.wordCount(conf, work.resolve("in"), work.resolve("out"), 2);
        assertThat(job.waitForCompletion(false)).isTrue();
        assertThat(Jobs.output(work.resolve("out"))).isEqualTo(Jobs.output(work.resolve("expected")));
        Path local = work.resolve("local-berth");
        try (Stream<Path> files = Files.exists(local) ? Files.walk(local) : Stream.empty()) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }

    private static int run(Configuration conf, Tool tool, String... arguments) throws Exception {
        return ToolRunner.run(conf, tool, arguments);
    }

    @Test
    void teraSortHasTheSameOutput() throws Exception {
        String in = work.resolve("tera").toString();
        assertThat(run(conf("berth"), new TeraGen(), "20000", in)).isZero();
        for (String framework : new String[] {"local", "berth"}) {
            Configuration sort = conf(framework);
            sort.setInt("mapreduce.job.reduces", 3);
            assertThat(run(
                            sort,
                            new TeraSort(),
                            in,
                            work.resolve("sorted-" + framework).toString()))
                    .isZero();
        }
        assertThat(Jobs.output(work.resolve("sorted-berth"))).isEqualTo(Jobs.output(work.resolve("sorted-local")));
    }

    @Test
    void sortHasTheSameOutput() throws Exception {
        Jobs.text(work.resolve("in"), 3, 300, 8);
        for (String framework : new String[] {"local", "berth"}) {
            assertThat(run(conf(framework), new Sort<>(), ClusterProgram.sort(work, "sorted-" + framework)))
                    .isZero();
        }
        assertThat(Jobs.output(work.resolve("sorted-berth"))).isEqualTo(Jobs.output(work.resolve("sorted-local")));
    }

    @Test
    void applicationEndsWhenIdleAndThatOfTheProgramIsUsed() throws Exception {
        CALLS.set(10);
        Job job = job(FailsTwice.class, 1, "idle");
        job.getConfiguration().set(SparkSettings.IDLE, "1");
        assertThat(job.waitForCompletion(false)).isTrue();
        Await.until(
                "the end of the application",
                () -> SparkContext$.MODULE$.getActive().isEmpty());
        SparkConf settings =
                new SparkConf().setMaster("local[2]").setAppName("own").set("spark.ui.enabled", "false");
        SparkContext own = new SparkContext(settings);
        try {
            Job second = job(FailsTwice.class, 1, "own");
            second.getConfiguration().set(SparkSettings.IDLE, "1");
            assertThat(second.waitForCompletion(false)).isTrue();
            assertThat(sortedLines("own")).isEqualTo(sortedLines("idle"));
            assertThat(own.statusTracker().getJobIdsForGroup(second.getJobID().toString()))
                    .isNotEmpty();
            assertThat(own.isStopped()).isFalse();
        } finally {
            own.stop();
        }
    }

    @Test
    void secondarySortAndGrepHaveTheSameOutput() throws Exception {
        Random random = new Random(5);
        Files.createDirectories(work.resolve("pairs"));
        Files.writeString(
                work.resolve("pairs/a.txt"),
                Stream.generate(() -> random.nextInt(20) + " " + (random.nextInt(2000) - 1000))
                        .limit(600)
                        .collect(Collectors.joining("\n")));
        Jobs.text(work.resolve("in"), 2, 100, 6);
        for (String framework : new String[] {"local", "berth"}) {
            Job job = Job.getInstance(conf(framework));
            job.setMapperClass(SecondarySort.MapClass.class);
            job.setReducerClass(SecondarySort.Reduce.class);
            job.setPartitionerClass(SecondarySort.FirstPartitioner.class);
            job.setGroupingComparatorClass(SecondarySort.FirstGroupingComparator.class);
            job.setMapOutputKeyClass(SecondarySort.IntPair.class);
            job.setMapOutputValueClass(IntWritable.class);
            job.setOutputKeyClass(Text.class);
            job.setOutputValueClass(IntWritable.class);
            job.setNumReduceTasks(3);
            FileInputFormat.addInputPath(job, path("pairs"));
            FileOutputFormat.setOutputPath(job, path("second-" + framework));
            assertThat(job.waitForCompletion(false)).isTrue();
            Configuration conf = conf(framework);
            assertThat(run(
                            conf,
                            ReflectionUtils.newInstance(Grep.class, conf),
                            work.resolve("in").toString(),
                            work.resolve("grep-" + framework).toString(),
                            "w[a-c]+"))
                    .isZero();
        }
        assertThat(Jobs.output(work.resolve("second-berth"))).isEqualTo(Jobs.output(work.resolve("second-local")));
        // Words of the same count come in no order that grep promises.
        assertThat(sortedLines("grep-berth")).isEqualTo(sortedLines("grep-local"));
    }

    private List<String> sortedLines(String folder) throws IOException {
        return Jobs.output(work.resolve(folder)).values().stream()
                .flatMap(String::lines)
                .sorted()
                .toList();
    }

    private Job job(Class<? extends Mapper<?, ?, ?, ?>> mapper, int reduces, String out) throws IOException {
        Files.createDirectories(work.resolve("in"));
        Files.writeString(work.resolve("in/a"), "one\ntwo\n");
        Files.writeString(work.resolve("in/b"), "three\n");
        Job job = Job.getInstance(conf("berth"));
        job.setMapperClass(mapper);
        job.setOutputKeyClass(LongWritable.class);
        job.setOutputValueClass(Text.class);
        job.setNumReduceTasks(reduces);
        FileInputFormat.addInputPath(job, path("in"));
        FileOutputFormat.setOutputPath(job, path(out));
        return job;
    }

    static final class FailsTwice extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws IOException, InterruptedException {
            context.write(key, value);
            context.getCounter("test", "records").increment(1);
            if (value.toString().equals("two") && CALLS.incrementAndGet() <= 2) {
                throw new IllegalStateException("not yet");
            }
        }
    }

    @Test
    void taskIsRepeatedAndItsFailuresLeaveNothing() throws Exception {
        for (int reduces = 0; reduces <= 1; reduces++) {
            CALLS.set(0);
            Job job = job(FailsTwice.class, reduces, "out" + reduces);
            assertThat(job.waitForCompletion(false)).isTrue();
            assertThat(CALLS).hasValue(3);
            assertThat(sortedLines("out" + reduces)).containsExactly("0\tone", "0\tthree", "4\ttwo");
            assertThat(job.getCounters().findCounter("test", "records").getValue())
                    .isEqualTo(3);
            assertThat(work.resolve("out" + reduces + "/_temporary")).doesNotExist();
        }
    }

    static final class AlwaysFails extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void map(
                LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context) {
            CALLS.incrementAndGet();
            throw new UnsupportedOperationException("the user's own words");
        }
    }

    @Test
    void jobFailsWithTheStackTraceOfTheUser() throws Exception {
        Job job = job(AlwaysFails.class, 1, "out");
        job.getConfiguration().setInt("mapreduce.map.maxattempts", 2);
        assertThat(job.waitForCompletion(false)).isFalse();
        assertThat(job.getStatus().getState()).isEqualTo(JobStatus.State.FAILED);
        assertThat(job.getStatus().getFailureInfo())
                .contains("the user's own words", AlwaysFails.class.getName() + ".map", "2 times");
        assertThat(CALLS.get()).isBetween(2, 4);
        assertThat(Jobs.output(work.resolve("out"))).isEmpty();
        assertThat(work.resolve("out/_temporary")).doesNotExist();
    }

    static final class Waits extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws InterruptedException, IOException {
            context.write(key, value);
            started.countDown();
            new CountDownLatch(1).await();
        }
    }

    @Test
    void killedJobLeavesNothing() throws Exception {
        Job job = job(Waits.class, 0, "out");
        job.submit();
        started.await();
        job.killJob();
        assertThat(job.waitForCompletion(false)).isFalse();
        assertThat(job.getStatus().getState()).isEqualTo(JobStatus.State.KILLED);
        assertThat(Jobs.output(work.resolve("out"))).isEmpty();
        assertThat(work.resolve("out/_temporary")).doesNotExist();
    }

    /** Writes the text of a file that the distributed cache has put into the working directory, in the old API. */
    static final class OldMapper extends org.apache.hadoop.mapred.MapReduceBase
            implements org.apache.hadoop.mapred.Mapper<LongWritable, Text, Text, IntWritable> {
        private String prefix = "";

        @Override
        public void configure(JobConf conf) {
            try (BufferedReader reader =
                    Files.newBufferedReader(Path.of(conf.getStrings("mapreduce.job.cache.local.files")[0]))) {
                prefix = String.valueOf(reader.readLine());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void map(
                LongWritable key,
                Text value,
                org.apache.hadoop.mapred.OutputCollector<Text, IntWritable> out,
                org.apache.hadoop.mapred.Reporter reporter)
                throws IOException {
            reporter.incrCounter("test", "records", 1);
            out.collect(new Text(prefix + value), new IntWritable(1));
        }
    }

    @Test
    void oldApiAndDistributedCache() throws Exception {
        Files.writeString(work.resolve("cached"), "hello ");
        Files.createDirectories(work.resolve("in"));
        Files.writeString(work.resolve("in/a"), "one\ntwo\n");
        JobConf conf = new JobConf(conf("berth"));
        conf.setMapperClass(OldMapper.class);
        conf.setOutputKeyClass(Text.class);
        conf.setOutputValueClass(IntWritable.class);
        org.apache.hadoop.mapred.FileInputFormat.addInputPath(conf, path("in"));
        org.apache.hadoop.mapred.FileOutputFormat.setOutputPath(conf, path("out"));
        Job.addCacheFile(work.resolve("cached").toUri(), conf);
        RunningJob job = JobClient.runJob(conf);
        assertThat(job.isSuccessful()).isTrue();
        assertThat(sortedLines("out")).containsExactly("hello one\t1", "hello two\t1");
        assertThat(job.getCounters().findCounter("test", "records").getValue()).isEqualTo(2);
    }

    @Test
    void severalJobsAtATimeAndJobsWithoutMaps() throws Exception {
        CALLS.set(10);
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Job job = job(FailsTwice.class, 1, "out" + i);
            job.submit();
            jobs.add(job);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(jobs.get(i).waitForCompletion(false)).isTrue();
            assertThat(Jobs.output(work.resolve("out" + i))).isEqualTo(Jobs.output(work.resolve("out0")));
        }
        Job noMaps = job(FailsTwice.class, 2, "empty");
        Files.delete(work.resolve("in/a"));
        Files.delete(work.resolve("in/b"));
        assertThat(noMaps.waitForCompletion(false)).isTrue();
        assertThat(Jobs.output(work.resolve("empty")))
                .containsEntry("part-r-00000", "")
                .containsEntry("part-r-00001", "");
    }

    @Test
    void propertiesWithoutEffectAreNamed() throws Exception {
        JobConf conf = new JobConf(conf("berth"));
        conf.setInt("mapreduce.task.timeout", 5000);
        Path file = work.resolve("job.xml");
        try (java.io.OutputStream out = Files.newOutputStream(file)) {
            conf.writeXml(out);
        }
        JobConf read = new JobConf(new org.apache.hadoop.fs.Path(file.toUri()));
        assertThat(SparkSettings.withoutEffect(read))
                .singleElement()
                .asString()
                .startsWith("mapreduce.task.timeout has no effect");
    }

    @Test
    void settingsThatMakeNoSenseAreOneLine() throws Exception {
        Job job = job(FailsTwice.class, 1, "out");
        job.getConfiguration().set(SparkSettings.IDLE, "soon");
        assertThatThrownBy(job::submit).hasMessageContaining(SparkSettings.IDLE).hasMessageContaining("soon");
    }
}
