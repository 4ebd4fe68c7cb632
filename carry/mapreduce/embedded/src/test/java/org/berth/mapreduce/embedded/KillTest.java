package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.berth.hadoopjobs.TestJobs;
import org.berth.mapreduce.client.EngineSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job that is killed or fails ends without a repeated interrupt, and starts no code of the user any more. */
@Tag("long")
@Tag("one-jdk")
@Timeout(120)
class KillTest {
    private static final int TASKS = 12;
    private static final int THREADS = 2;
    private static final int TRIES = 5;

    /** Half of the time after which an interrupt is repeated; an end takes milliseconds. */
    private static final long REPEAT_MILLIS = 2500;

    private static final AtomicInteger STARTS = new AtomicInteger();
    private static final AtomicInteger LATE = new AtomicInteger();
    private static Semaphore begun = new Semaphore(0);
    private static volatile boolean killed;

    @TempDir
    Path work;

    @BeforeEach
    void input() throws IOException {
        Files.createDirectories(work.resolve("in"));
        for (int i = 0; i < TASKS; i++) {
            Files.writeString(work.resolve("in/" + i), "one\n");
        }
        reset();
    }

    private static void reset() {
        STARTS.set(0);
        LATE.set(0);
        begun = new Semaphore(0);
        killed = false;
    }

    private static int starts() {
        int starts = STARTS.incrementAndGet();
        if (killed) {
            LATE.incrementAndGet();
        }
        begun.release();
        return starts;
    }

    private static void waitForAnInterrupt() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    private Job job(Class<? extends Mapper<?, ?, ?, ?>> mapper, String out, int reduces) throws IOException {
        Job job = TestJobs.of(TestJobs.conf("berth", work), mapper, work, out, reduces);
        job.getConfiguration().setInt(EngineSettings.THREADS, THREADS);
        job.getConfiguration().setInt("mapreduce.map.maxattempts", 1);
        job.getConfiguration().setInt("mapreduce.reduce.maxattempts", 1);
        return job;
    }

    private static void assertThatItEnds(Job job, JobStatus.State state) throws Exception {
        long start = System.nanoTime();
        while (!job.isComplete()) {
            Thread.sleep(1);
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        System.out.println(state + " after " + millis + " ms, tasks started: " + STARTS);
        assertThat(job.getStatus().getState()).isEqualTo(state);
        assertThat(millis).isLessThan(REPEAT_MILLIS);
    }

    static final class Waits extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void setup(Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws InterruptedException {
            starts();
            waitForAnInterrupt();
        }
    }

    @Test
    void theEngineSurvivesKilledMaps() throws Exception {
        for (int i = 0; i < TRIES; i++) {
            reset();
            Job job = job(Waits.class, "out" + i, 0);
            job.submit();
            begun.acquire(THREADS);
            job.killJob();
            assertThatItEnds(job, JobStatus.State.KILLED);
            assertThat(STARTS).hasValue(THREADS);
            assertThat(work.resolve("out" + i + "/_temporary")).doesNotExist();
        }
    }

    /** The second of two maps fails while the first one waits. */
    static final class SecondFails extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void setup(Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws InterruptedException, IOException {
            if (starts() == THREADS) {
                begun.acquire(THREADS);
                throw new IOException("as the test wants it");
            }
            waitForAnInterrupt();
        }
    }

    @Test
    void theEngineSurvivesFailedMaps() throws Exception {
        for (int i = 0; i < TRIES; i++) {
            reset();
            Job job = job(SecondFails.class, "out" + i, 0);
            job.submit();
            assertThatItEnds(job, JobStatus.State.FAILED);
            assertThat(STARTS).hasValue(THREADS);
            assertThat(work.resolve("out" + i + "/_temporary")).doesNotExist();
        }
    }

    static final class Passes extends Mapper<LongWritable, Text, LongWritable, Text> {}

    static final class WaitingReducer extends Reducer<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void setup(Reducer<LongWritable, Text, LongWritable, Text>.Context context)
                throws InterruptedException {
            starts();
            waitForAnInterrupt();
        }
    }

    @Test
    void theEngineSurvivesKilledReduces() throws Exception {
        for (int i = 0; i < TRIES; i++) {
            reset();
            Job job = job(Passes.class, "out" + i, TASKS);
            job.setReducerClass(WaitingReducer.class);
            job.submit();
            begun.acquire(THREADS);
            job.killJob();
            assertThatItEnds(job, JobStatus.State.KILLED);
            assertThat(STARTS).hasValue(THREADS);
        }
    }

    /** The kill comes when the last map has ended, a little before or after the first reduce begins. */
    @Test
    void killedBetweenMapsAndReduces() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 6 * TRIES; i++) {
            reset();
            Job job = job(Passes.class, "out" + i, TASKS);
            job.setReducerClass(WaitingReducer.class);
            job.submit();
            while (job.getTaskCompletionEvents(TASKS - 1, 1).length == 0) {
                Thread.onSpinWait();
            }
            long until = System.nanoTime() + random.nextInt(8_000_000);
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            job.killJob();
            killed = true;
            assertThatItEnds(job, JobStatus.State.KILLED);
            assertThat(LATE).hasValue(0);
        }
    }

    /** Never waits, as a task that computes. */
    static final class Computes extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void setup(Mapper<LongWritable, Text, LongWritable, Text>.Context context) {
            starts();
        }

        @Override
        protected void map(
                LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context) {
            long until = System.nanoTime() + 1_000_000;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
        }
    }

    static final class ComputingReducer extends Reducer<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void setup(Reducer<LongWritable, Text, LongWritable, Text>.Context context) {
            starts();
        }

        @Override
        protected void reduce(
                LongWritable key,
                Iterable<Text> values,
                Reducer<LongWritable, Text, LongWritable, Text>.Context context) {
            long until = System.nanoTime() + 1_000_000;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
        }
    }

    /** Each of these tasks has records for ten seconds. */
    @Test
    void tasksThatComputeEndBeforeTheirNextRecord() throws Exception {
        Files.writeString(work.resolve("in/0"), "one\n".repeat(10_000));
        Job maps = job(Computes.class, "maps", 0);
        maps.submit();
        begun.acquire();
        maps.killJob();
        assertThatItEnds(maps, JobStatus.State.KILLED);
        reset();
        Job reduces = job(Passes.class, "reduces", 1);
        reduces.setReducerClass(ComputingReducer.class);
        reduces.submit();
        begun.acquire();
        reduces.killJob();
        assertThatItEnds(reduces, JobStatus.State.KILLED);
    }
}
