package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.AggregateWordCount;
import org.apache.hadoop.examples.MultiFileWordCount;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RunningJob;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.aggregate.ValueAggregatorJob;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.jobcontrol.ControlledJob;
import org.apache.hadoop.mapreduce.lib.jobcontrol.JobControl;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.streaming.StreamJob;
import org.apache.hadoop.tools.DistCp;
import org.berth.hadoopjobs.TestJobs;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that submit jobs in ways of their own, unmodified, on Hadoop's local runner and on this engine. */
@Tag("long")
@Tag("one-jdk")
class ProgramsTest {
    @TempDir
    Path work;

    private String in;

    @BeforeEach
    void input() throws IOException {
        Random random = new Random(11);
        Files.createDirectories(work.resolve("in"));
        for (int f = 0; f < 3; f++) {
            Files.writeString(
                    work.resolve("in/f" + f),
                    Stream.generate(() -> "w" + random.nextInt(90) + " v" + random.nextInt(30))
                            .limit(300)
                            .collect(Collectors.joining("\n", "", "\n")));
        }
        in = work.resolve("in").toString();
    }

    private String out(String framework) {
        return work.resolve("out-" + framework).toString();
    }

    private void assertSameOutput() throws IOException {
        Map<String, String> expected = TestJobs.output(Path.of(out("local")));
        assertThat(expected.values().stream().mapToInt(String::length).sum()).isPositive();
        assertThat(TestJobs.output(Path.of(out("berth")))).isEqualTo(expected);
    }

    /** Streaming's own job, which its program would submit, so that its counters can be read. */
    private Map<String, Long> stream(String framework, String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of("-input", in, "-output", out(framework)));
        all.addAll(List.of(words));
        JobConf conf = StreamJob.createJob(all.toArray(String[]::new));
        Configuration plain = new Configuration();
        TestJobs.conf(framework, work).forEach(entry -> {
            if (!entry.getValue().equals(plain.getRaw(entry.getKey()))) {
                conf.set(entry.getKey(), entry.getValue());
            }
        });
        RunningJob job = JobClient.runJob(conf);
        assertThat(job.isSuccessful()).isTrue();
        return TestJobs.comparable(new Counters(job.getCounters()));
    }

    private Map<String, Long> streamOnBoth(String... words) throws IOException {
        Map<String, Long> expected = stream("local", words);
        Map<String, Long> counters = stream("berth", words);
        assertThat(counters).isEqualTo(expected);
        assertSameOutput();
        return counters;
    }

    @Test
    void streamingWithPythonAndAwk() throws Exception {
        Tool.require("python3");
        Tool.require("awk");
        Path mapper = Files.writeString(work.resolve("map.py"), """
                import os, sys
                for line in sys.stdin:
                    for word in line.split():
                        print(word + "\\t1")
                    sys.stderr.write("reporter:counter:script,lines,1\\n")
                print(os.environ["GREETING"] + "\\t1")
                """);
        Path sum = Files.writeString(
                work.resolve("sum.awk"),
                "$1 != key { if (NR > 1) print key \"\\t\" n; key = $1; n = 0 } { n += $2 } END { print key \"\\t\" n }\n");
        String add = "awk -f " + sum;
        Map<String, Long> counters = streamOnBoth(
                "-mapper", "python3 " + mapper, "-combiner", add, "-reducer", add, "-cmdenv", "GREETING=hello");
        assertThat(counters).containsEntry("script.lines", 900L);
        assertThat(TestJobs.output(Path.of(out("berth"))).get("part-00000")).contains("hello\t3\n");
    }

    @Test
    void streamingWithoutReduces() throws Exception {
        Tool.require("awk");
        streamOnBoth("-numReduceTasks", "0", "-mapper", "awk {print$2,NR}");
    }

    @Test
    void scriptThatFailsFailsTheJob() throws Exception {
        StreamJob job = new StreamJob();
        job.setConf(TestJobs.conf("berth", work));
        Path script = Files.writeString(work.resolve("fails.sh"), "read line; exit 3\n");
        assertThat(job.run(new String[] {"-input", in, "-output", out("berth"), "-mapper", "sh " + script}))
                .isNotZero();
        assertThat(Path.of(out("berth"), "_SUCCESS")).doesNotExist();
    }

    private int copy(String framework, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("-m", "2", "file://" + in, "file://" + out(framework)));
        return new DistCp(TestJobs.conf(framework, work), null).run(all.toArray(String[]::new));
    }

    @Test
    void distCpCopiesUpdatesAndDeletes() throws Exception {
        assertThat(copy("berth")).isZero();
        assertThat(TestJobs.output(Path.of(out("berth")))).isEqualTo(TestJobs.output(Path.of(in)));
        Files.writeString(work.resolve("in/f1"), "longer than before\n", StandardOpenOption.APPEND);
        Files.writeString(Path.of(out("berth"), "extra"), "to be deleted\n");
        Files.delete(Path.of(out("berth"), "f2"));
        assertThat(copy("berth", "-update", "-delete")).isZero();
        assertThat(TestJobs.output(Path.of(out("berth")))).isEqualTo(TestJobs.output(Path.of(in)));
    }

    @Test
    void aggregatesAndManyFilesInOneSplit() throws Exception {
        for (String framework : new String[] {"local", "berth"}) {
            Configuration conf = TestJobs.conf(framework, work);
            conf.setInt("mapreduce.aggregate.descriptor.num", 1);
            conf.set(
                    "mapreduce.aggregate.descriptor.0",
                    "UserDefined," + AggregateWordCount.WordCountPlugInClass.class.getName());
            Job job = ValueAggregatorJob.createValueAggregatorJob(
                    conf, new String[] {in, out(framework), "2", "textinputformat"});
            assertThat(job.waitForCompletion(false)).isTrue();
            assertThat(TestJobs.run(
                            TestJobs.conf(framework, work), new MultiFileWordCount(), in, out(framework) + "/files"))
                    .isZero();
        }
        assertSameOutput();
    }

    /** Jobs that only copy. JobControl looks at them every five seconds. */
    @Test
    void jobsThatDependOnEachOtherAndJobsAtTheSameTime() throws Exception {
        JobControl control = new JobControl("three and three");
        List<ControlledJob> jobs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Job job = Job.getInstance(TestJobs.conf("berth", work));
            job.setNumReduceTasks(i % 2);
            job.setOutputKeyClass(LongWritable.class);
            job.setOutputValueClass(Text.class);
            // Three at a time: each of the later ones reads the output of the third before it.
            FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(i < 3 ? in : out("berth") + (i - 3)));
            FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(out("berth") + i));
            jobs.add(new ControlledJob(job, i < 3 ? null : new ArrayList<>(List.of(jobs.get(i - 3)))));
            control.addJob(jobs.get(i));
        }
        Thread thread = new Thread(control);
        thread.start();
        while (!control.allFinished()) {
            Thread.sleep(20);
        }
        control.stop();
        thread.join();
        assertThat(control.getFailedJobList()).isEmpty();
        assertThat(control.getSuccessfulJobList()).hasSize(6);
        long lines = TestJobs.output(Path.of(out("berth") + 5)).values().stream()
                .flatMap(String::lines)
                .count();
        assertThat(lines).isEqualTo(900);
    }
}
