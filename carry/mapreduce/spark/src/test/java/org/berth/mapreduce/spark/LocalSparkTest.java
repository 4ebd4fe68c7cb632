package org.berth.mapreduce.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.Grep;
import org.apache.hadoop.examples.Sort;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RunningJob;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.berth.hadoopjobs.Mappers;
import org.berth.hadoopjobs.TestJobs;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.oracle.Await;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;

/** Hadoop jobs on Spark in this JVM: the same bytes and counters as from Hadoop's local runner; failures, kills, cache files. */
@Tag("cluster")
@Tag("one-jdk")
@Timeout(300)
class LocalSparkTest {
    @TempDir
    Path work;

    @BeforeEach
    void noCalls() {
        Mappers.reset(0);
    }

    private Configuration conf(String framework) {
        Configuration conf = ClusterProgram.conf(framework, work);
        conf.set(ApplicationSettings.MASTER, "local[2]");
        return conf;
    }

    private org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path(work.resolve(name).toString());
    }

    @Test
    void wordCountHasTheSameOutputAndCounters() throws Exception {
        TestJobs.text(work.resolve("in"), 3, 800, 1);
        Job expected = TestJobs.wordCount(conf("local"), work.resolve("in"), work.resolve("expected"), 3);
        assertThat(expected.waitForCompletion(false)).isTrue();
        Job job = TestJobs.wordCount(conf("berth"), work.resolve("in"), work.resolve("out"), 3);
        assertThat(job.waitForCompletion(true)).isTrue();
        assertThat(TestJobs.output(work.resolve("out"))).isEqualTo(TestJobs.output(work.resolve("expected")));
        assertThat(TestJobs.comparable(job.getCounters())).isEqualTo(TestJobs.comparable(expected.getCounters()));
        assertThat(job.mapProgress()).isEqualTo(1f);
        assertThat(job.reduceProgress()).isEqualTo(1f);
    }

    @Test
    @Tag("release")
    void wordCountWithoutMemoryForBlocksHasTheSameOutput() throws Exception {
        TestJobs.text(work.resolve("in"), 2, 4000, 2);
        assertThat(TestJobs.wordCount(conf("local"), work.resolve("in"), work.resolve("expected"), 2)
                        .waitForCompletion(false))
                .isTrue();
        Configuration conf = conf("berth");
        conf.set("berth.mapreduce.memory.bytes", "16k");
        conf.set("berth.mapreduce.buffer.bytes", "1k");
        conf.set("berth.mapreduce.sort.bytes", "2k");
        conf.setBoolean("mapreduce.map.output.compress", true);
        Job job = TestJobs.wordCount(conf, work.resolve("in"), work.resolve("out"), 2);
        assertThat(job.waitForCompletion(false)).isTrue();
        assertThat(TestJobs.output(work.resolve("out"))).isEqualTo(TestJobs.output(work.resolve("expected")));
        Path local = work.resolve("local-berth");
        try (Stream<Path> files = Files.exists(local) ? Files.walk(local) : Stream.empty()) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void teraSortHasTheSameOutput() throws Exception {
        String in = work.resolve("tera").toString();
        assertThat(TestJobs.run(conf("berth"), new TeraGen(), "20000", in)).isZero();
        for (String framework : new String[] {"local", "berth"}) {
            Configuration sort = conf(framework);
            sort.setInt("mapreduce.job.reduces", 3);
            assertThat(TestJobs.run(
                            sort,
                            new TeraSort(),
                            in,
                            work.resolve("sorted-" + framework).toString()))
                    .isZero();
        }
        assertThat(TestJobs.output(work.resolve("sorted-berth")))
                .isEqualTo(TestJobs.output(work.resolve("sorted-local")));
    }

    @Test
    void sortHasTheSameOutput() throws Exception {
        TestJobs.text(work.resolve("in"), 3, 300, 8);
        for (String framework : new String[] {"local", "berth"}) {
            assertThat(TestJobs.run(conf(framework), new Sort<>(), ClusterProgram.sort(work, "sorted-" + framework)))
                    .isZero();
        }
        assertThat(TestJobs.output(work.resolve("sorted-berth")))
                .isEqualTo(TestJobs.output(work.resolve("sorted-local")));
    }

    @Test
    void applicationEndsWhenIdleAndThatOfTheProgramIsUsed() throws Exception {
        Mappers.reset(10);
        Job job = job(Mappers.FailsTwice.class, 1, "idle");
        job.getConfiguration().set(ApplicationSettings.IDLE, "1");
        assertThat(job.waitForCompletion(false)).isTrue();
        Await.until(
                "the end of the application",
                () -> SparkContext$.MODULE$.getActive().isEmpty());
        SparkConf settings =
                new SparkConf().setMaster("local[2]").setAppName("own").set("spark.ui.enabled", "false");
        SparkContext own = new SparkContext(settings);
        try {
            Job second = job(Mappers.FailsTwice.class, 1, "own");
            second.getConfiguration().set(ApplicationSettings.IDLE, "1");
            assertThat(second.waitForCompletion(false)).isTrue();
            assertThat(sortedLines("own")).isEqualTo(sortedLines("idle"));
            assertThat(own.statusTracker().getJobIdsForGroup(second.getJobID().toString()))
                    .isNotEmpty();
            assertThat(own.isStopped()).isFalse();
        } finally {
            own.stop();
        }
    }

    private static SparkContext awaitApplication() {
        return Await.until("an application", SparkContext$.MODULE$::getActive, Option::isDefined)
                .get();
    }

    /** Changes a setting of the application when the client has started it already. */
    static final class ChangesTheApplication extends TextInputFormat {
        private static @Nullable SparkContext early;

        @Override
        public List<InputSplit> getSplits(JobContext job) throws IOException {
            early = awaitApplication();
            job.getConfiguration().set("spark.app.name", "first");
            return super.getSplits(job);
        }
    }

    @Test
    void firstJobDecidesTheSettingsOfTheApplication() throws Exception {
        Mappers.reset(10);
        // That of another test.
        SparkContext$.MODULE$.getActive().foreach(running -> {
            running.stop();
            return running;
        });
        Job first = job(Mappers.FailsTwice.class, 1, "first");
        first.setInputFormatClass(ChangesTheApplication.class);
        first.getConfiguration().set("spark.app.name", "client");
        assertThat(first.waitForCompletion(false)).isTrue();
        SparkContext early = Objects.requireNonNull(ChangesTheApplication.early);
        assertThat(early.appName()).isEqualTo("client");
        assertThat(early.isStopped()).isTrue();
        SparkContext application = awaitApplication();
        assertThat(application.appName()).isEqualTo("first");
        Job second = job(Mappers.FailsTwice.class, 1, "second");
        second.getConfiguration().set("spark.app.name", "second");
        assertThat(second.waitForCompletion(false)).isTrue();
        assertThat(awaitApplication()).isSameAs(application);
        for (Job job : List.of(first, second)) {
            assertThat(application
                            .statusTracker()
                            .getJobIdsForGroup(job.getJobID().toString()))
                    .isNotEmpty();
        }
        assertThat(sortedLines("second")).isEqualTo(sortedLines("first"));
    }

    @Test
    @Tag("release")
    void secondarySortAndGrepHaveTheSameOutput() throws Exception {
        TestJobs.pairs(work.resolve("pairs"), 5);
        TestJobs.text(work.resolve("in"), 2, 100, 6);
        for (String framework : new String[] {"local", "berth"}) {
            Job job = TestJobs.secondarySort(
                    conf(framework), work.resolve("pairs"), work.resolve("second-" + framework), 3);
            assertThat(job.waitForCompletion(false)).isTrue();
            Configuration conf = conf(framework);
            assertThat(TestJobs.run(
                            conf,
                            ReflectionUtils.newInstance(Grep.class, conf),
                            work.resolve("in").toString(),
                            work.resolve("grep-" + framework).toString(),
                            "w[a-c]+"))
                    .isZero();
        }
        assertThat(TestJobs.output(work.resolve("second-berth")))
                .isEqualTo(TestJobs.output(work.resolve("second-local")));
        // Words of the same count come in no order that grep promises.
        assertThat(sortedLines("grep-berth")).isEqualTo(sortedLines("grep-local"));
    }

    private List<String> sortedLines(String folder) throws IOException {
        return TestJobs.sortedLines(work.resolve(folder));
    }

    private Job job(Class<? extends Mapper<?, ?, ?, ?>> mapper, int reduces, String out) throws IOException {
        TestJobs.threeLines(work);
        return TestJobs.of(conf("berth"), mapper, work, out, reduces);
    }

    @Test
    void taskIsRepeatedAndItsFailuresLeaveNothing() throws Exception {
        for (int reduces = 0; reduces <= 1; reduces++) {
            Mappers.reset(0);
            Job job = job(Mappers.FailsTwice.class, reduces, "out" + reduces);
            assertThat(job.waitForCompletion(false)).isTrue();
            assertThat(Mappers.calls()).isEqualTo(3);
            assertThat(sortedLines("out" + reduces)).containsExactly("0\tone", "0\tthree", "4\ttwo");
            assertThat(job.getCounters().findCounter("test", "records").getValue())
                    .isEqualTo(3);
            assertThat(work.resolve("out" + reduces + "/_temporary")).doesNotExist();
        }
    }

    @Test
    void jobFailsWithTheStackTraceOfTheUser() throws Exception {
        Job job = job(Mappers.AlwaysFails.class, 1, "out");
        job.getConfiguration().setInt("mapreduce.map.maxattempts", 2);
        assertThat(job.waitForCompletion(false)).isFalse();
        assertThat(job.getStatus().getState()).isEqualTo(JobStatus.State.FAILED);
        assertThat(job.getStatus().getFailureInfo())
                .contains("the user's own words", Mappers.AlwaysFails.class.getName() + ".map", "2 times");
        assertThat(Mappers.calls()).isBetween(2, 4);
        assertThat(TestJobs.output(work.resolve("out"))).isEmpty();
        assertThat(work.resolve("out/_temporary")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit", "halt", "swallowed", "thread"})
    void taskThatExitsFailsAndTheClientLives(String way) throws Exception {
        for (int reduces = 0; reduces <= 1; reduces++) {
            Job job = job(Mappers.Exits.class, reduces, "out" + reduces);
            Configuration conf = job.getConfiguration();
            conf.set("way", way);
            conf.setInt("mapreduce.map.maxattempts", 2);
            assertThat(job.waitForCompletion(false)).isFalse();
            assertThat(job.getStatus().getFailureInfo())
                    .contains("Task attempt_", way.equals("halt") ? " called Runtime.halt(" : " called System.exit(")
                    .contains("2 times", Mappers.Exits.class.getName());
            assertThat(TestJobs.output(work.resolve("out" + reduces))).isEmpty();
            assertThat(work.resolve("out" + reduces + "/_temporary")).doesNotExist();
            assertThat(ExecutorJobs.pool(EngineSettings.of(conf)).leasedBytes()).isZero();
        }
    }

    @Test
    void killedJobLeavesNothing() throws Exception {
        Job job = job(Mappers.Waits.class, 0, "out");
        for (int i = 0; i < 10; i++) {
            Files.writeString(work.resolve("in/" + i), "waits\n");
        }
        job.submit();
        Mappers.awaitStart();
        job.killJob();
        assertThat(job.waitForCompletion(false)).isFalse();
        assertThat(job.getStatus().getState()).isEqualTo(JobStatus.State.KILLED);
        assertThat(Mappers.calls()).as("maps that began, on two threads").isLessThanOrEqualTo(2);
        assertThat(TestJobs.output(work.resolve("out"))).isEmpty();
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
        Mappers.reset(10);
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Job job = job(Mappers.FailsTwice.class, 1, "out" + i);
            job.submit();
            jobs.add(job);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(jobs.get(i).waitForCompletion(false)).isTrue();
            assertThat(TestJobs.output(work.resolve("out" + i))).isEqualTo(TestJobs.output(work.resolve("out0")));
        }
        Job noMaps = job(Mappers.FailsTwice.class, 2, "empty");
        Files.delete(work.resolve("in/a"));
        Files.delete(work.resolve("in/b"));
        assertThat(noMaps.waitForCompletion(false)).isTrue();
        assertThat(TestJobs.output(work.resolve("empty")))
                .containsEntry("part-r-00000", "")
                .containsEntry("part-r-00001", "");
    }

    @Test
    void propertiesWithoutEffectAreNamed() throws Exception {
        JobConf conf = new JobConf(conf("berth"));
        conf.setInt("mapreduce.map.memory.mb", 5000);
        Path file = work.resolve("job.xml");
        try (java.io.OutputStream out = Files.newOutputStream(file)) {
            conf.writeXml(out);
        }
        JobConf read = new JobConf(new org.apache.hadoop.fs.Path(file.toUri()));
        assertThat(ApplicationSettings.withoutEffect(read))
                .singleElement()
                .asString()
                .startsWith("mapreduce.map.memory.mb has no effect");
    }

    @Test
    void settingsThatMakeNoSenseAreOneLine() throws Exception {
        Job job = job(Mappers.FailsTwice.class, 1, "out");
        job.getConfiguration().set(ApplicationSettings.IDLE, "soon");
        assertThatThrownBy(job::submit)
                .hasMessageContaining(ApplicationSettings.IDLE)
                .hasMessageContaining("soon");
    }
}
