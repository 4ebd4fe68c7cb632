package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.TIPStatus;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.berth.hadoopjobs.Mappers;
import org.berth.hadoopjobs.TestJobs;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.oracle.KernelList;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that fail, hang or are killed; jobs without maps or reduces; huge records; the masks of the worker threads. */
@Tag("one-jdk")
class FailuresTest {
    private static final Map<String, String> MASKS = new ConcurrentHashMap<>();

    @TempDir
    Path work;

    @BeforeEach
    void input() throws IOException {
        Mappers.reset(0);
        MASKS.clear();
        TestJobs.threeLines(work);
    }

    private Job job(Class<? extends Mapper<?, ?, ?, ?>> mapper, int reduces) throws IOException {
        return TestJobs.of(TestJobs.conf("berth", work), mapper, work, "out", reduces);
    }

    private List<String> files() throws IOException {
        return List.copyOf(TestJobs.output(work.resolve("out")).keySet());
    }

    private void assertNoTemporaryFiles() {
        assertThat(work.resolve("out/_temporary")).doesNotExist();
    }

    @Test
    void taskIsRepeatedAndItsFailuresLeaveNothing() throws Exception {
        Job job = job(Mappers.FailsTwice.class, 1);
        assertThat(job.waitForCompletion(true)).isTrue();
        assertThat(Mappers.calls()).isEqualTo(3);
        assertThat(Files.readString(work.resolve("out/part-r-00000")).lines().sorted())
                .containsExactly("0\tone", "0\tthree", "4\ttwo");
        assertThat(job.getCounters().findCounter("test", "records").getValue()).isEqualTo(3);
        assertThat(files()).containsExactly("_SUCCESS", "part-r-00000");
        assertNoTemporaryFiles();
    }

    @Test
    void jobFailsWithTheStackTraceOfTheUser() throws Exception {
        Job job = job(Mappers.AlwaysFails.class, 1);
        job.getConfiguration().setInt("mapreduce.map.maxattempts", 2);
        assertThat(job.waitForCompletion(false)).isFalse();
        assertThat(job.getStatus().getState()).isEqualTo(JobStatus.State.FAILED);
        assertThat(job.getStatus().getFailureInfo())
                .contains("the user's own words", Mappers.AlwaysFails.class.getName() + ".map", "2 times");
        assertThat(job.getTaskCompletionEvents(0, 10))
                .anySatisfy(event -> assertThat(job.getTaskDiagnostics(event.getTaskAttemptId()))
                        .anySatisfy(text -> assertThat(text).contains("the user's own words")));
        assertThat(files()).isEmpty();
        assertNoTemporaryFiles();
    }

    @Test
    void reportsOfTasksHaveTheReasonsOfTheirFailures() throws Exception {
        Files.createFile(work.resolve("in/c"));
        Job job = job(Mappers.AlwaysFails.class, 1);
        job.getConfiguration().setInt("mapreduce.map.maxattempts", 2);
        job.getConfiguration().setInt("mapreduce.map.failures.maxpercent", 70);
        assertThat(job.waitForCompletion(false)).isTrue();
        assertThat(job.getTaskReports(TaskType.MAP))
                .extracting(
                        TaskReport::getCurrentStatus,
                        report -> List.of(report.getDiagnostics()).size())
                .containsExactlyInAnyOrder(
                        tuple(TIPStatus.FAILED, 2), tuple(TIPStatus.FAILED, 2), tuple(TIPStatus.COMPLETE, 0));
        assertThat(job.getTaskReports(TaskType.MAP))
                .flatExtracting(report -> List.of(report.getDiagnostics()))
                .allSatisfy(text -> assertThat(text).contains("the user's own words"));
    }

    @Test
    void killedJobLeavesNothing() throws Exception {
        Job job = job(Mappers.Waits.class, 0);
        job.submit();
        Mappers.awaitStart();
        job.killJob();
        assertThat(job.waitForCompletion(false)).isFalse();
        assertThat(job.getStatus().getState()).isEqualTo(JobStatus.State.KILLED);
        assertThat(files()).isEmpty();
        assertNoTemporaryFiles();
    }

    @Test
    @Timeout(120)
    void taskThatLosesAnInterruptIsInterruptedAgain() throws Exception {
        Job job = job(Mappers.LosesAnInterrupt.class, 0);
        job.getConfiguration().setInt("mapreduce.task.exit.timeout", 300_000);
        job.submit();
        Mappers.awaitStart();
        job.killJob();
        assertThat(job.waitForCompletion(false)).isFalse();
        assertThat(job.getStatus().getState()).isEqualTo(JobStatus.State.KILLED);
        assertNoTemporaryFiles();
    }

    @Test
    void taskWithoutProgressFailsAndItsThreadIsReplaced() throws Exception {
        Job job = job(Mappers.Hangs.class, 1);
        Configuration conf = job.getConfiguration();
        conf.set("test.open", work.resolve("open").toString());
        conf.setInt("mapreduce.task.timeout", 500);
        conf.setInt("mapreduce.task.exit.timeout", 500);
        conf.setInt("mapreduce.map.maxattempts", 1);
        conf.setInt(EngineSettings.THREADS, 1);
        assertThat(job.waitForCompletion(false)).isFalse();
        assertThat(job.getStatus().getFailureInfo()).contains("mapreduce.task.timeout");
        Job next = job(Mappers.FailsTwice.class, 1);
        Mappers.reset(10);
        next.getConfiguration().setInt(EngineSettings.THREADS, 1);
        FileOutputFormat.setOutputPath(next, TestJobs.path(work.resolve("next")));
        assertThat(next.waitForCompletion(false)).isTrue();
        Files.createFile(work.resolve("open"));
    }

    static final class Masks extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws InterruptedException {
            MASKS.put(
                    Thread.currentThread().getName(), ProcStatus.callingThread().cpus());
        }
    }

    @Test
    void workerThreadsAreBoundAtTheirLevel() throws Exception {
        Job job = job(Masks.class, 0);
        job.getConfiguration().set(EngineSettings.LEVEL, "pu");
        job.getConfiguration().set(EngineSettings.GUARD, "off");
        assertThat(job.waitForCompletion(false)).isTrue();
        assertThat(MASKS).isNotEmpty();
        Set<Integer> allowed =
                new TreeSet<>(KernelList.numbers(ProcStatus.self().cpus()));
        assertThat(MASKS.values()).allSatisfy(mask -> {
            assertThat(KernelList.numbers(mask)).hasSize(1);
            assertThat(allowed).containsAll(KernelList.numbers(mask));
        });
    }

    /** Each value is 300 KB, a group is more than all buffers. */
    static final class Huge extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws IOException, InterruptedException {
            for (int i = 0; i < 20; i++) {
                context.write(new LongWritable(i % 2), new Text(value + "x".repeat(300_000)));
            }
        }
    }

    static final class Lengths extends Reducer<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void reduce(
                LongWritable key,
                Iterable<Text> values,
                Reducer<LongWritable, Text, LongWritable, Text>.Context context)
                throws IOException, InterruptedException {
            long sum = 0;
            for (Text value : values) {
                sum += value.getLength();
            }
            context.write(key, new Text(Long.toString(sum)));
        }
    }

    @Test
    void recordsLargerThanABufferAndGroupsLargerThanTheMemory() throws Exception {
        Job job = job(Huge.class, 1);
        job.setReducerClass(Lengths.class);
        job.getConfiguration().set(EngineSettings.MEMORY, "1m");
        job.getConfiguration().set(EngineSettings.BUFFER, "64k");
        assertThat(job.waitForCompletion(false)).isTrue();
        String sum = Long.toString(10L * (3 * 300_000 + "onetwothree".length()));
        assertThat(Files.readString(work.resolve("out/part-r-00000"))).isEqualTo("0\t" + sum + "\n1\t" + sum + "\n");
    }

    @Test
    void jobsWithoutMapsReducesOrRecords() throws Exception {
        Job mapOnly = job(Mappers.FailsTwice.class, 0);
        Mappers.reset(10);
        assertThat(mapOnly.waitForCompletion(false)).isTrue();
        assertThat(files()).containsExactly("_SUCCESS", "part-m-00000", "part-m-00001");
        Files.delete(work.resolve("in/a"));
        Files.delete(work.resolve("in/b"));
        Job noMaps = job(Mappers.FailsTwice.class, 2);
        FileOutputFormat.setOutputPath(noMaps, TestJobs.path(work.resolve("empty")));
        assertThat(noMaps.waitForCompletion(false)).isTrue();
        assertThat(TestJobs.output(work.resolve("empty")))
                .containsEntry("part-r-00000", "")
                .containsEntry("part-r-00001", "");
    }

    @Test
    void severalJobsAtATime() throws Exception {
        Mappers.reset(10);
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Job job = job(Mappers.FailsTwice.class, 1);
            FileOutputFormat.setOutputPath(job, TestJobs.path(work.resolve("out" + i)));
            job.submit();
            jobs.add(job);
        }
        for (int i = 0; i < 4; i++) {
            assertThat(jobs.get(i).waitForCompletion(false)).isTrue();
            assertThat(TestJobs.output(work.resolve("out" + i))).isEqualTo(TestJobs.output(work.resolve("out0")));
        }
    }

    @Test
    void settingsThatMakeNoSenseAreOneLine() throws Exception {
        Job job = job(Mappers.FailsTwice.class, 1);
        job.getConfiguration().set(EngineSettings.LEVEL, "socket");
        org.assertj.core.api.Assertions.assertThatThrownBy(job::submit)
                .hasMessageContaining(EngineSettings.LEVEL)
                .hasMessageContaining("socket");
        Job other = job(Mappers.FailsTwice.class, 1);
        other.getConfiguration().set(EngineSettings.GUARD, "perhaps");
        org.assertj.core.api.Assertions.assertThatThrownBy(other::submit)
                .hasMessageContaining("berth.mapreduce.guard is 'perhaps': give on or off");
    }
}
