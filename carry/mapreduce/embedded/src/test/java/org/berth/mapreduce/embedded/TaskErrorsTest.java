package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.berth.hadoopjobs.TestJobs;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors of the JVM in tasks, and tasks that leave their thread in another state; one worker thread runs all of them. */
@Tag("one-jdk")
class TaskErrorsTest {
    private static final CountDownLatch RELEASED = new CountDownLatch(1);

    @TempDir
    Path work;

    private static Job job(Path work, String way, String out) throws IOException {
        Files.createDirectories(work.resolve("in"));
        Files.writeString(work.resolve("in/a"), "one\n");
        Job job = TestJobs.of(TestJobs.conf("berth", work), Hostile.class, work, out, 1);
        Configuration conf = job.getConfiguration();
        conf.set("way", way);
        conf.setInt("mapreduce.map.maxattempts", 1);
        conf.setInt(EngineSettings.THREADS, 1);
        return job;
    }

    static final class Hostile extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        @SuppressWarnings("ThreadPriorityCheck") // It is what the next task must not find.
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws IOException, InterruptedException {
            context.write(key, value);
            Thread thread = Thread.currentThread();
            switch (context.getConfiguration().get("way", "")) {
                case "memory" -> fillTheHeap();
                case "array" -> context.write(new LongWritable(new long[Integer.MAX_VALUE].length), value);
                case "stack" -> context.write(new LongWritable(endless(1)), value);
                case "class" -> throw new NoClassDefFoundError("org/example/Missing");
                case "interrupt" -> thread.interrupt();
                case "names" -> {
                    thread.setName("mine");
                    thread.setPriority(Thread.MIN_PRIORITY);
                    thread.setContextClassLoader(new URLClassLoader(new URL[0]));
                }
                case "thread" -> {
                    Thread left = new Thread(Hostile::await, "left-behind");
                    left.setDaemon(false);
                    left.start();
                }
                default -> {
                    String state = thread.getName().replaceAll("[0-9]", "")
                            + thread.getPriority()
                            + thread.isInterrupted()
                            + (thread.getContextClassLoader()
                                    == context.getConfiguration().getClassLoader());
                    context.write(key, new Text(state));
                }
            }
        }

        private static void fillTheHeap() {
            List<byte[]> all = new ArrayList<>();
            while (all.size() < Integer.MAX_VALUE) {
                all.add(new byte[100_000]);
            }
        }

        private static long endless(long depth) {
            return depth == 0 ? 0 : 1 + endless(depth + 1);
        }

        private static void await() {
            try {
                RELEASED.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void assertNextJobIsNotTouched(Path work) throws Exception {
        Job next = job(work, "", "next");
        assertThat(WorkerPool.of(EngineSettings.of(next.getConfiguration()))
                        .buffers()
                        .leasedBytes())
                .isZero();
        assertThat(next.waitForCompletion(false)).isTrue();
        assertThat(Files.readString(work.resolve("next/part-r-00000")))
                .isEqualTo("0\tone\n0\tberth-worker-5falsetrue\n");
    }

    @ParameterizedTest
    @CsvSource({
        "array, java.lang.OutOfMemoryError: Requested array size exceeds VM limit",
        "stack, java.lang.StackOverflowError",
        "class, java.lang.NoClassDefFoundError: org/example/Missing"
    })
    void errorFailsTheAttemptAndGivesItsBuffersBack(String way, String message) throws Exception {
        Job job = job(work, way, "out");
        assertThat(job.waitForCompletion(false)).isFalse();
        assertThat(job.getStatus().getFailureInfo()).contains(message, Hostile.class.getName());
        assertThat(work.resolve("out/_temporary")).doesNotExist();
        assertNextJobIsNotTouched(work);
    }

    @ParameterizedTest
    @CsvSource({"interrupt", "names", "thread"})
    void nextTaskFindsItsThreadAsEver(String way) throws Exception {
        Job job = job(work, way, "out");
        // With an interrupt pending, the end of Hadoop's task may fail, as on YARN.
        assertThat(job.waitForCompletion(false) || way.equals("interrupt")).isTrue();
        assertNextJobIsNotTouched(work);
        RELEASED.countDown();
    }

    static final class SmallHeap {
        private SmallHeap() {}

        public static void main(String[] args) throws Exception {
            Path work = Path.of(args[0]);
            Job full = job(work, "memory", "out");
            System.out.println(full.waitForCompletion(false) + " "
                    + full.getStatus().getFailureInfo().replace('\n', ' '));
            assertNextJobIsNotTouched(work);
            System.out.println("the next job succeeded");
            job(work, "thread", "left").waitForCompletion(false);
            System.exit(0);
        }
    }

    @Test
    void taskThatFillsTheHeapFailsAndTheNextJobHasItsRoom() throws Exception {
        Child.Result result = ChildJvm.of(SmallHeap.class, work.toString())
                .with("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .run();
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("false Task task_", "java.lang.OutOfMemoryError", "the next job succeeded");
        assertThat(result.err()).contains("has left the thread 'left-behind' behind");
    }
}
