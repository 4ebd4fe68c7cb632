package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.berth.hadoopjobs.TestJobs;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.KernelList;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs at the limits of heap, disk, open files and worker threads, and what is called when they end. */
@Tag("long")
@Tag("one-jdk")
class LimitsTest {
    private static final String RECORDS = "test.records";
    private static final String DIRS = "mapreduce.cluster.local.dir";
    private static final AtomicInteger OPEN_FILES = new AtomicInteger();
    private static final Map<String, String> MASKS = new ConcurrentHashMap<>();

    @TempDir
    Path work;

    private static Job job(Path work, Class<? extends Mapper<?, ?, ?, ?>> mapper) throws IOException {
        Files.createDirectories(work.resolve("in"));
        Files.writeString(work.resolve("in/a"), "one\n");
        Job job = TestJobs.of(TestJobs.conf("berth", work), mapper, work, "out", 1);
        job.setReducerClass(Sums.class);
        job.setOutputValueClass(LongWritable.class);
        Configuration conf = job.getConfiguration();
        conf.setInt("mapreduce.map.maxattempts", 2);
        conf.setInt(EngineSettings.THREADS, 1);
        return job;
    }

    private static void smallMemory(Configuration conf, String memory, String buffer) {
        conf.set(EngineSettings.MEMORY, memory);
        conf.set(EngineSettings.BUFFER, buffer);
        conf.set(EngineSettings.SORT, buffer);
    }

    /** One key, as many values as asked for. */
    static final class OneKey extends Mapper<LongWritable, Text, LongWritable, LongWritable> {
        @Override
        protected void map(
                LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, LongWritable>.Context context)
                throws IOException, InterruptedException {
            LongWritable number = new LongWritable();
            long records = context.getConfiguration().getLong(RECORDS, 0);
            if (records < 0) {
                throw new IllegalStateException("asked to fail");
            }
            for (long i = 0; i < records; i++) {
                number.set(i);
                context.write(key, number);
            }
        }
    }

    /** Different keys in no order. */
    static final class ManyKeys extends Mapper<LongWritable, Text, LongWritable, LongWritable> {
        @Override
        protected void map(
                LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, LongWritable>.Context context)
                throws IOException, InterruptedException {
            LongWritable number = new LongWritable();
            long records = context.getConfiguration().getLong(RECORDS, 0);
            for (long i = 0; i < records; i++) {
                number.set(Long.reverse(i));
                context.write(number, number);
            }
        }
    }

    /** Number and sum of the values of all keys; what a group needs must not grow with it. */
    static final class Sums extends Reducer<LongWritable, LongWritable, LongWritable, LongWritable> {
        private long count;
        private long sum;

        @Override
        protected void reduce(
                LongWritable key,
                Iterable<LongWritable> values,
                Reducer<LongWritable, LongWritable, LongWritable, LongWritable>.Context context)
                throws IOException {
            if (count == 0) {
                OPEN_FILES.set(openSpillFiles());
            }
            for (LongWritable value : values) {
                count++;
                sum += value.get();
            }
        }

        @Override
        protected void cleanup(Reducer<LongWritable, LongWritable, LongWritable, LongWritable>.Context context)
                throws IOException, InterruptedException {
            context.write(new LongWritable(count), new LongWritable(sum));
        }

        private static int openSpillFiles() throws IOException {
            int open = 0;
            try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
                for (Path file : files.toList()) {
                    if (Files.isSymbolicLink(file) && target(file).contains("/spill/")) {
                        open++;
                    }
                }
            }
            return open;
        }

        private static String target(Path file) {
            try {
                return Files.readSymbolicLink(file).toString();
            } catch (IOException e) {
                // It has been closed meanwhile.
                return "";
            }
        }
    }

    @Test
    void thousandsOfSpillsAreReadByFewFilesAtATime() throws Exception {
        Job job = job(work, ManyKeys.class);
        job.getConfiguration().setLong(RECORDS, 4_000);
        smallMemory(job.getConfiguration(), "4k", "1k");
        assertThat(job.waitForCompletion(false)).isTrue();
        assertThat(job.getCounters().findCounter(TaskCounter.SPILLED_RECORDS).getValue())
                .isGreaterThanOrEqualTo(4_000);
        assertThat(OPEN_FILES).hasValueBetween(1, 64);
        assertThat(Files.readString(work.resolve("out/part-r-00000"))).startsWith("4000\t");
    }

    static final class HugeGroup {
        private HugeGroup() {}

        public static void main(String[] args) throws Exception {
            Job job = job(Path.of(args[0]), args[2].equals("group") ? OneKey.class : ManyKeys.class);
            job.getConfiguration().setLong(RECORDS, Long.parseLong(args[1]));
            System.exit(job.waitForCompletion(false) ? 0 : 1);
        }
    }

    private void assertFinishes(long records, String kind) throws Exception {
        Child.Result result = ChildJvm.of(HugeGroup.class, work.toString(), Long.toString(records), kind)
                .with("-Xmx32m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .run();
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(Files.readString(work.resolve("out/part-r-00000"))).startsWith(records + "\t");
    }

    /** More by {@code -Dberth.test.records=20000000}. */
    @Test
    void groupLargerThanTheHeapIsStreamed() throws Exception {
        assertFinishes(Long.getLong("berth.test.records", 1_500_000), "group");
    }

    @Test
    void inputLargerThanTheHeapIsSorted() throws Exception {
        assertFinishes(Long.getLong("berth.test.records", 1_500_000), "sort");
    }

    static final class FullDisk {
        private FullDisk() {}

        public static void main(String[] args) throws Exception {
            Job job = job(Path.of(args[0]), ManyKeys.class);
            Configuration conf = job.getConfiguration();
            conf.set(DIRS, args[1]);
            conf.setLong(RECORDS, 400_000);
            conf.set(EngineSettings.MEMORY, "4m");
            conf.set(EngineSettings.BUFFER, "64k");
            boolean succeeded = job.waitForCompletion(false);
            System.out.println(succeeded + " " + job.getStatus().getFailureInfo());
            System.exit(0);
        }
    }

    private static void assertNoFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }

    private Child.Result onFullDisk(List<String> prefix, String dirs) throws Exception {
        return ChildJvm.of(FullDisk.class, work.toString(), dirs)
                .with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData")
                .under(prefix)
                .run();
    }

    @Test
    void fileThatCannotGrowFailsTheJobWithItsFolderAndWhatToDo() throws Exception {
        Tool.require("prlimit");
        // The job's description, with all of Hadoop's defaults, is smaller, and a spill file larger.
        Child.Result result = onFullDisk(
                List.of("prlimit", "--fsize=300000"), work.resolve("local").toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .contains("false Task task_", "cannot write to the spill file " + work.resolve("local") + "/berth/")
                .containsPattern("after [1-9][0-9]* bytes: File too large \\([0-9]+ bytes are free there\\)")
                .contains("mapreduce.cluster.local.dir");
        assertNoFiles(work.resolve("local"));
        assertThat(work.resolve("out/_temporary")).doesNotExist();
    }

    @Test
    void fullDiskFailsTheJobAndAnotherOneWithRoomIsUsed() throws Exception {
        Tool.require("mount");
        Path small = Files.createDirectories(work.resolve("small"));
        Child.Result mounted = Child.run("mount", "-t", "tmpfs", "-o", "size=1200k", "tmpfs", small.toString());
        org.junit.jupiter.api.Assumptions.assumeTrue(mounted.exitCode() == 0, () -> "needs mount: " + mounted.err());
        try {
            assertThat(onFullDisk(List.of(), small.toString()).out())
                    .startsWith("false Task task_")
                    .containsPattern("cannot (write to|place) (the|a) spill file")
                    .contains(small + "/berth/", "mapreduce.cluster.local.dir");
            assertNoFiles(small);
            Files.delete(work.resolve("out"));
            assertThat(onFullDisk(List.of(), small + "," + work.resolve("large"))
                            .out())
                    .startsWith("true");
        } finally {
            Child.run("umount", small.toString());
        }
    }

    static final class Masks extends Mapper<LongWritable, Text, LongWritable, LongWritable> {
        @Override
        protected void map(
                LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, LongWritable>.Context context) {
            String level = context.getConfiguration().get(EngineSettings.LEVEL);
            MASKS.put(level, ProcStatus.callingThread().cpus());
        }
    }

    static final class AllLevels {
        private AllLevels() {}

        public static void main(String[] args) throws Exception {
            for (String level : List.of("numa", "package", "core", "pu")) {
                Job job = job(Path.of(args[0]), Masks.class);
                job.getConfiguration().set(EngineSettings.LEVEL, level);
                job.getConfiguration().set(EngineSettings.GUARD, "off");
                FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(args[0] + "/out-" + level));
                job.waitForCompletion(false);
            }
            System.out.println(new TreeMap<>(MASKS));
            System.exit(0);
        }
    }

    @Test
    void noLevelLeavesAnInheritedMask() throws Exception {
        Tool.require("taskset");
        int last = Collections.max(KernelList.numbers(ProcStatus.self().cpus()));
        Child.Result result = ChildJvm.of(AllLevels.class, work.toString())
                .with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .under("taskset", "-c", Integer.toString(last))
                .run();
        assertThat(result.out())
                .as(result.err())
                .contains("{core=" + last + ", numa=" + last + ", package=" + last + ", pu=" + last + "}");
    }

    /** Submits another job and waits for it, on the only worker thread of the client's jobs. */
    static final class Nested extends Mapper<LongWritable, Text, LongWritable, LongWritable> {
        @Override
        protected void map(
                LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, LongWritable>.Context context)
                throws IOException, InterruptedException {
            int depth = context.getConfiguration().getInt("depth", 0);
            if (depth < 2) {
                String folder = context.getConfiguration().get("folder");
                Job inner = job(Path.of(folder), Nested.class);
                inner.getConfiguration().setInt("depth", depth + 1);
                inner.getConfiguration().set("folder", folder);
                FileOutputFormat.setOutputPath(inner, new org.apache.hadoop.fs.Path(folder + "/out" + depth));
                try {
                    if (!inner.waitForCompletion(false)) {
                        throw new IOException("the inner job failed");
                    }
                } catch (ClassNotFoundException e) {
                    throw new IOException(e);
                }
            }
            context.write(key, new LongWritable(depth));
        }
    }

    @Test
    void jobsThatTasksWaitForHaveThreadsOfTheirOwn() throws Exception {
        Job job = job(work, Nested.class);
        job.getConfiguration().set("folder", work.toString());
        job.getConfiguration().setInt("mapreduce.task.timeout", 20_000);
        assertThat(job.waitForCompletion(false)).isTrue();
        assertThat(Files.readString(work.resolve("out/part-r-00000"))).isEqualTo("1\t0\n");
        assertThat(Files.readString(work.resolve("out1/part-r-00000"))).isEqualTo("1\t2\n");
    }

    @Test
    void urlIsCalledAtTheEndOfAJob() throws Exception {
        List<String> calls = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            calls.add(exchange.getRequestURI().toString());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        try {
            String url = "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":"
                    + server.getAddress().getPort() + "/end?id=$jobId&status=$jobStatus";
            Job good = job(work, OneKey.class);
            good.getConfiguration().set("mapreduce.job.end-notification.url", url);
            assertThat(good.waitForCompletion(false)).isTrue();
            Job bad = job(work, OneKey.class);
            bad.getConfiguration().set("mapreduce.job.end-notification.url", url);
            bad.getConfiguration().setLong(RECORDS, -1);
            FileOutputFormat.setOutputPath(
                    bad, new org.apache.hadoop.fs.Path(work.resolve("bad").toString()));
            assertThat(bad.waitForCompletion(false)).isFalse();
            assertThat(calls)
                    .containsExactly(
                            "/end?id=" + good.getJobID() + "&status=SUCCEEDED",
                            "/end?id=" + bad.getJobID() + "&status=FAILED");
        } finally {
            server.stop(0);
        }
    }
}
