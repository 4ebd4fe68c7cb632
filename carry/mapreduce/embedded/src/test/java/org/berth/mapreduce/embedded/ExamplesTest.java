package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.Grep;
import org.apache.hadoop.examples.Join;
import org.apache.hadoop.examples.QuasiMonteCarlo;
import org.apache.hadoop.examples.Sort;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.berth.hadoopjobs.TestJobs;
import org.berth.mapreduce.client.EngineSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own examples, as they are on Maven Central: the same bytes and counters as from Hadoop's local runner. */
class ExamplesTest {
    @TempDir
    Path work;

    private Job wordCount(String framework, String out, int reduces) throws IOException {
        return TestJobs.wordCount(TestJobs.conf(framework, work), work.resolve("in"), work.resolve(out), reduces);
    }

    @Test
    void wordCountHasTheSameOutputAndCounters() throws Exception {
        TestJobs.text(work.resolve("in"), 3, 800, 1);
        Job expected = wordCount("local", "expected", 3);
        assertThat(expected.waitForCompletion(false)).isTrue();
        Job job = wordCount("berth", "out", 3);
        // Hadoop counts bytes of files by what all threads of the JVM have read meanwhile.
        job.getConfiguration().setInt(EngineSettings.THREADS, 1);
        assertThat(job.waitForCompletion(true)).isTrue();
        assertThat(TestJobs.output(work.resolve("out"))).isEqualTo(TestJobs.output(work.resolve("expected")));
        assertThat(TestJobs.comparableWithBytes(job.getCounters()))
                .isEqualTo(TestJobs.comparableWithBytes(expected.getCounters()));
        assertThat(job.getCounters().findCounter(TaskCounter.SPILLED_RECORDS).getValue())
                .isZero();
        assertThat(job.mapProgress()).isEqualTo(1f);
        assertThat(job.reduceProgress()).isEqualTo(1f);
        assertThat(job.getTaskReports(org.apache.hadoop.mapreduce.TaskType.MAP)).hasSize(3);
    }

    @Test
    void wordCountWithoutMemoryForBlocksSpillsAndHasTheSameOutput() throws Exception {
        TestJobs.text(work.resolve("in"), 2, 4000, 2);
        assertThat(wordCount("local", "expected", 2).waitForCompletion(false)).isTrue();
        Job job = wordCount("berth", "out", 2);
        Configuration conf = job.getConfiguration();
        conf.set(EngineSettings.MEMORY, "16k");
        conf.set(EngineSettings.BUFFER, "1k");
        conf.set(EngineSettings.SORT, "2k");
        conf.setBoolean("mapreduce.map.output.compress", true);
        assertThat(job.waitForCompletion(false)).isTrue();
        assertThat(TestJobs.output(work.resolve("out"))).isEqualTo(TestJobs.output(work.resolve("expected")));
        assertThat(job.getCounters().findCounter(TaskCounter.SPILLED_RECORDS).getValue())
                .isPositive();
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() throws IOException {
        Path local = work.resolve("local-berth");
        try (Stream<Path> files = Files.exists(local) ? Files.walk(local) : Stream.empty()) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void teraSortIsValid() throws Exception {
        Configuration conf = TestJobs.conf("berth", work);
        String in = work.resolve("tera").toString();
        assertThat(TestJobs.run(conf, new TeraGen(), "5000", in)).isZero();
        for (String framework : new String[] {"local", "berth"}) {
            Configuration sort = TestJobs.conf(framework, work);
            sort.setInt("mapreduce.job.reduces", 3);
            String out = work.resolve("sorted-" + framework).toString();
            assertThat(TestJobs.run(sort, new TeraSort(), in, out)).isZero();
        }
        String out = work.resolve("sorted-berth").toString();
        Map<String, String> sorted = TestJobs.output(work.resolve("sorted-berth"));
        assertThat(sorted).isEqualTo(TestJobs.output(work.resolve("sorted-local")));
        String report = work.resolve("report").toString();
        assertThat(TestJobs.run(TestJobs.conf("berth", work), new TeraValidate(), out, report))
                .isZero();
        assertThat(TestJobs.output(work.resolve("report")).values())
                .allSatisfy(text -> assertThat(text).doesNotContain("error"));
    }

    private void sequence(Path folder, int records, long seed) throws IOException {
        Random random = new Random(seed);
        Files.createDirectories(folder);
        Configuration conf = new Configuration();
        try (SequenceFile.Writer writer = SequenceFile.createWriter(
                conf,
                SequenceFile.Writer.file(
                        new org.apache.hadoop.fs.Path(folder.resolve("a.seq").toString())),
                SequenceFile.Writer.keyClass(BytesWritable.class),
                SequenceFile.Writer.valueClass(BytesWritable.class))) {
            for (int i = 0; i < records; i++) {
                byte[] key = new byte[1 + random.nextInt(20)];
                byte[] value = new byte[random.nextInt(500)];
                random.nextBytes(key);
                random.nextBytes(value);
                // The first bytes tell the records apart: the order of equal keys is each engine's own.
                byte[] unique = java.nio.ByteBuffer.allocate(4 + key.length)
                        .putInt(i * 0x9E3779B1)
                        .put(key)
                        .array();
                writer.append(new BytesWritable(unique), new BytesWritable(value));
            }
        }
    }

    private static Map<String, String> records(Path folder) throws IOException {
        Map<String, String> result = new TreeMap<>();
        Configuration conf = new Configuration();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.getFileName().toString().startsWith("part"))
                    .toList()) {
                StringBuilder text = new StringBuilder();
                try (SequenceFile.Reader reader = new SequenceFile.Reader(
                        conf, SequenceFile.Reader.file(new org.apache.hadoop.fs.Path(file.toString())))) {
                    BytesWritable key = new BytesWritable();
                    BytesWritable value = new BytesWritable();
                    while (reader.next(key, value)) {
                        text.append(key).append('=').append(value).append('\n');
                    }
                }
                result.put(file.getFileName().toString(), text.toString());
            }
        }
        return result;
    }

    @Test
    void sortHasTheSameRecords() throws Exception {
        sequence(work.resolve("seq"), 2000, 3);
        for (String framework : new String[] {"local", "berth"}) {
            Configuration conf = TestJobs.conf(framework, work);
            assertThat(TestJobs.run(
                            conf,
                            new Sort<BytesWritable, BytesWritable>(),
                            "-r",
                            "2",
                            "-outKey",
                            BytesWritable.class.getName(),
                            "-outValue",
                            BytesWritable.class.getName(),
                            work.resolve("seq").toString(),
                            work.resolve("sorted-" + framework).toString()))
                    .isZero();
        }
        assertThat(records(work.resolve("sorted-berth"))).isEqualTo(records(work.resolve("sorted-local")));
    }

    @Test
    void joinHasTheSameOutput() throws Exception {
        sequence(work.resolve("left"), 200, 4);
        for (String framework : new String[] {"local", "berth"}) {
            assertThat(TestJobs.run(
                            TestJobs.conf(framework, work),
                            new Sort<BytesWritable, BytesWritable>(),
                            "-r",
                            "1",
                            work.resolve("left").toString(),
                            work.resolve("sorted-" + framework).toString()))
                    .isZero();
            String sorted = work.resolve("sorted-" + framework).toString();
            assertThat(TestJobs.run(
                            TestJobs.conf(framework, work),
                            new Join(),
                            "-r",
                            "1",
                            "-inFormat",
                            SequenceFileInputFormat.class.getName(),
                            "-outFormat",
                            org.apache.hadoop.mapreduce.lib.output.TextOutputFormat.class.getName(),
                            "-outKey",
                            BytesWritable.class.getName(),
                            "-joinOp",
                            "inner",
                            sorted,
                            sorted,
                            work.resolve("joined-" + framework).toString()))
                    .isZero();
        }
        Map<String, String> joined = TestJobs.output(work.resolve("joined-berth"));
        assertThat(joined).isEqualTo(TestJobs.output(work.resolve("joined-local")));
        assertThat(joined.getOrDefault("part-r-00000", "").lines()).hasSize(200);
    }

    @Test
    void secondarySortGrepAndPi() throws Exception {
        TestJobs.pairs(work.resolve("pairs"), 5);
        TestJobs.text(work.resolve("in"), 2, 100, 6);
        Map<String, String> pi = new TreeMap<>();
        for (String framework : new String[] {"local", "berth"}) {
            Job job = TestJobs.secondarySort(
                    TestJobs.conf(framework, work), work.resolve("pairs"), work.resolve("second-" + framework), 3);
            assertThat(job.waitForCompletion(false)).isTrue();
            Configuration conf = TestJobs.conf(framework, work);
            assertThat(TestJobs.run(
                            conf,
                            org.apache.hadoop.util.ReflectionUtils.newInstance(Grep.class, conf),
                            work.resolve("in").toString(),
                            work.resolve("grep-" + framework).toString(),
                            "w[a-c]+"))
                    .isZero();
            conf = TestJobs.conf(framework, work);
            pi.put(
                    framework,
                    QuasiMonteCarlo.estimatePi(
                                    4,
                                    1000,
                                    new org.apache.hadoop.fs.Path(
                                            work.resolve("pi-" + framework).toString()),
                                    conf)
                            .toString());
        }
        assertThat(TestJobs.output(work.resolve("second-berth")))
                .isEqualTo(TestJobs.output(work.resolve("second-local")));
        // Words of the same count come in no order that grep promises.
        assertThat(TestJobs.sortedLines(work.resolve("grep-berth")))
                .isEqualTo(TestJobs.sortedLines(work.resolve("grep-local")));
        assertThat(pi.get("berth")).isEqualTo(pi.get("local")).startsWith("3.1");
        assertThat(FileSystem.getLocal(new Configuration())
                        .exists(new org.apache.hadoop.fs.Path(
                                work.resolve("pi-berth").toString())))
                .isFalse();
    }
}
