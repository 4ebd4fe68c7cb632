package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.MapFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.util.ToolRunner;
import org.berth.hadoopjobs.TestJobs;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.mapreduce.embedded.cache.BlockCache;
import org.berth.mapreduce.embedded.cache.FileCounter;
import org.berth.mapreduce.embedded.cache.MemoryFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that read what earlier jobs wrote or read: the same bytes as without the cache, whatever happens to the files meanwhile. */
@Tag("long")
@Tag("one-jdk")
class CacheTest {
    private static final String BOUND = "8m";

    @TempDir
    Path work;

    private String original = "";

    @BeforeEach
    void input() throws Exception {
        Random random = new Random(11);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            text.append(String.format("k%05d\t%08x%n", i, random.nextInt()));
        }
        original = text.toString();
        Files.createDirectories(work.resolve("in"));
        Files.writeString(work.resolve("in/a"), original);
        settle();
    }

    @AfterEach
    void empty() throws IOException {
        fs().delete(path("."), true);
        assertThat(MemoryFiles.ofJvm().below(work.toString())).isEmpty();
        BlockCache.ofJvm().limit(0);
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
    }

    /** A file that has just changed is read from the disk; a program's files seldom are so young. */
    private static void settle() throws InterruptedException {
        Thread.sleep(40);
    }

    private org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path(work.resolve(name).normalize().toString());
    }

    private FileSystem fs() throws IOException {
        return FileSystem.getLocal(TestJobs.conf("berth", work));
    }

    private Configuration conf(String bytes) {
        Configuration conf = TestJobs.conf("berth", work);
        conf.set(EngineSettings.CACHE, bytes);
        return conf;
    }

    private Configuration transients() {
        Configuration conf = conf(BOUND);
        conf.set(EngineSettings.TRANSIENT, work + "/t*");
        return conf;
    }

    private Job job(Configuration conf, String in, String out) throws IOException {
        Job job = TestJobs.sortOfPairs(conf, path(in), path(out));
        job.setNumReduceTasks(2);
        return job;
    }

    private Job ran(Configuration conf, String in, String out) throws Exception {
        Job job = job(conf, in, out);
        assertThat(job.waitForCompletion(false)).isTrue();
        return job;
    }

    private static long count(Job job, FileCounter counter) throws IOException {
        return job.getCounters().findCounter(FileCounter.GROUP, counter.name()).getValue();
    }

    /** The lines of an output as a program sees them, in the order of the keys. */
    private List<String> lines(String folder) throws IOException {
        List<String> result = new ArrayList<>();
        for (FileStatus file : fs().globStatus(new org.apache.hadoop.fs.Path(path(folder), "part-*"))) {
            try (Stream<String> lines = new java.io.BufferedReader(new java.io.InputStreamReader(
                            fs().open(file.getPath()), java.nio.charset.StandardCharsets.UTF_8))
                    .lines()) {
                lines.forEach(result::add);
            }
        }
        result.sort(null);
        return result;
    }

    private List<String> names(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(work.resolve(folder))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .toList();
        }
    }

    @Test
    void inputAndOutputOfEarlierJobsComeFromMemory() throws Exception {
        Job first = ran(conf(BOUND), "in", "out1");
        assertThat(count(first, FileCounter.CACHE_HITS)).isZero();
        assertThat(count(first, FileCounter.CACHE_MISS_BYTES)).isGreaterThanOrEqualTo(original.length());
        Job again = ran(conf(BOUND), "in", "again");
        assertThat(count(again, FileCounter.CACHE_MISSES)).isZero();
        assertThat(count(again, FileCounter.CACHE_HIT_BYTES)).isGreaterThanOrEqualTo(original.length());
        Job next = ran(conf(BOUND), "out1", "out2");
        assertThat(count(next, FileCounter.CACHE_MISSES)).isZero();
        assertThat(count(next, FileCounter.CACHE_HITS)).isPositive();

        Job off = ran(conf("0"), "out1", "off");
        assertThat(off.getCounters().getGroup(FileCounter.GROUP).size()).isZero();
        assertThat(TestJobs.output(work.resolve("out2"))).isEqualTo(TestJobs.output(work.resolve("off")));
        assertThat(counters(next)).isEqualTo(counters(off));
    }

    private static Map<String, Long> counters(Job job) throws IOException {
        return Map.of(
                "records",
                job.getCounters()
                        .findCounter(org.apache.hadoop.mapreduce.TaskCounter.MAP_INPUT_RECORDS)
                        .getValue(),
                "bytes",
                job.getCounters()
                        .findCounter(org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter.BYTES_READ)
                        .getValue());
    }

    @Test
    void changedFileOfTheSameLengthAndTimeIsReadAgain() throws Exception {
        ran(conf(BOUND), "in", "out1");
        Path file = work.resolve("in/a");
        FileTime time = Files.getLastModifiedTime(file);
        Files.writeString(file, original.replace("k000", "x000"));
        Files.setLastModifiedTime(file, time);
        settle();
        Job second = ran(conf(BOUND), "in", "out2");
        assertThat(count(second, FileCounter.CACHE_HITS)).isZero();
        assertThat(lines("out2"))
                .contains(original.lines().findFirst().orElseThrow().replace("k000", "x000"));

        // An output that is overwritten in the same way, at once after its job.
        Path part = work.resolve("out2/part-r-00000");
        String text = Files.readString(part);
        time = Files.getLastModifiedTime(part);
        Files.writeString(part, text.replace("k", "z"));
        Files.delete(work.resolve("out2/.part-r-00000.crc"));
        Files.setLastModifiedTime(part, time);
        ran(conf(BOUND), "out2", "out3");
        assertThat(lines("out3")).isEqualTo(lines("out2")).anyMatch(line -> line.startsWith("z"));
    }

    @Test
    void deletedRewrittenAndRenamedFiles() throws Exception {
        ran(conf(BOUND), "in", "out1");
        List<String> expected = lines("out1");
        assertThat(fs().rename(path("out1"), path("renamed"))).isTrue();
        Job renamed = ran(conf(BOUND), "renamed", "out2");
        assertThat(lines("out2")).isEqualTo(expected);
        assertThat(count(renamed, FileCounter.CACHE_HITS)).isPositive();
        assertThat(count(renamed, FileCounter.CACHE_MISSES)).isZero();

        Files.writeString(work.resolve("in/a"), "new\tfile\n");
        ran(conf(BOUND), "in", "out1");
        ran(conf(BOUND), "out1", "out3");
        assertThat(lines("out3")).containsExactly("new\tfile");

        // Two outputs change places.
        assertThat(fs().rename(path("out1"), path("tmp"))).isTrue();
        assertThat(fs().rename(path("renamed"), path("out1"))).isTrue();
        assertThat(fs().rename(path("tmp"), path("renamed"))).isTrue();
        ran(conf(BOUND), "renamed", "out4");
        assertThat(lines("out4")).containsExactly("new\tfile");
        ran(conf(BOUND), "out1", "out5");
        assertThat(lines("out5")).isEqualTo(expected);

        assertThat(fs().delete(path("out1"), true)).isTrue();
        ran(conf(BOUND), "renamed", "out1");
        ran(conf(BOUND), "out1", "out6");
        assertThat(lines("out6")).containsExactly("new\tfile");
    }

    @Test
    void smallBoundIsKept() throws Exception {
        long bound = 400_000;
        for (int i = 1; i <= 3; i++) {
            ran(conf(Long.toString(bound)), i == 1 ? "in" : "out" + (i - 1), "out" + i);
            assertThat(BlockCache.ofJvm().usedBytes()).isBetween(1L, bound);
        }
        ran(conf("0"), "in", "off");
        assertThat(lines("out3")).isEqualTo(lines("off"));
    }

    @Test
    void transientOutputIsSeenByJobsAndTheClientOnly() throws Exception {
        FileSystem before = fs();
        Job first = ran(transients(), "in", "t1");
        assertThat(names("t1")).isEmpty();
        assertThat(count(first, FileCounter.TRANSIENT_FILES)).isEqualTo(2);
        assertThat(count(first, FileCounter.TRANSIENT_BYTES)).isEqualTo(original.length());
        assertThat(before.listStatus(path("t1")))
                .extracting(file -> file.getPath().getName())
                .containsExactlyInAnyOrder("part-r-00000", "part-r-00001", "_SUCCESS");
        assertThat(before.getContentSummary(path("t1")).getLength()).isEqualTo(original.length());
        assertThat(lines("t1")).isEqualTo(original.lines().sorted().toList());

        Job second = ran(transients(), "t1", "out2");
        assertThat(count(second, FileCounter.CACHE_HIT_BYTES)).isGreaterThanOrEqualTo(original.length());
        Job third = ran(conf("0"), "t1", "out3");
        assertThat(third.getCounters().getGroup(FileCounter.GROUP).size()).isZero();
        assertThat(TestJobs.output(work.resolve("out3"))).isEqualTo(TestJobs.output(work.resolve("out2")));

        // A program that closes its file system gets one with the same files.
        before.close();
        assertThat(lines("t1")).isEqualTo(lines("out2"));

        // A name that is not transient is written; the checksums follow.
        assertThat(fs().rename(path("t1"), path("kept"))).isTrue();
        assertThat(names("kept")).contains("part-r-00000", ".part-r-00000.crc", "part-r-00001", "_SUCCESS");
        assertThat(TestJobs.output(work.resolve("kept"))).isEqualTo(TestJobs.output(work.resolve("out2")));
        assertThat(MemoryFiles.ofJvm().isEmpty()).isTrue();
    }

    @Test
    void transientOutputThatDoesNotFitIsWritten() throws Exception {
        Configuration conf = transients();
        conf.set(EngineSettings.CACHE, "200k");
        Job job = ran(conf, "in", "t1");
        assertThat(count(job, FileCounter.TRANSIENT_FILES_WRITTEN)).isPositive();
        assertThat(names("t1")).anyMatch(name -> name.startsWith("part-r-"));
        ran(conf, "t1", "t2");
        ran(conf("0"), "in", "off");
        assertThat(lines("t2")).isEqualTo(lines("off"));
        assertThat(BlockCache.ofJvm().usedBytes()).isBetween(0L, 200L << 10);
    }

    @Test
    void folderOfTransientOutputThatAnotherProgramRemovesIsGone() throws Exception {
        ran(transients(), "in", "t1");
        Files.delete(work.resolve("t1"));
        assertThat(fs().exists(path("t1/part-r-00001"))).isFalse();
        Files.writeString(work.resolve("in/a"), "one\tline\n");
        Configuration conf = transients();
        Job single = job(conf, "in", "t1");
        single.setNumReduceTasks(1);
        assertThat(single.waitForCompletion(false)).isTrue();
        assertThat(lines("t1")).containsExactly("one\tline");
        Files.writeString(work.resolve("t1/part-r-00000"), "of\tanother program\n");
        ran(conf, "t1", "out");
        assertThat(lines("out")).containsExactly("of\tanother program");
    }

    static final class Fails extends Mapper<Text, Text, Text, Text> {
        @Override
        protected void map(Text key, Text value, Mapper<Text, Text, Text, Text>.Context context)
                throws IOException, InterruptedException {
            context.write(key, value);
            if (key.toString().equals("k12000") && (context.getTaskAttemptID().getId() == 0 || always(context))) {
                throw new IOException("as the test wants it");
            }
        }

        private static boolean always(Mapper<Text, Text, Text, Text>.Context context) {
            return context.getConfiguration().getBoolean("test.always", false);
        }
    }

    @Test
    void failedAttemptsAndJobsLeaveNothing() throws Exception {
        for (String out : new String[] {"t1", "out1"}) {
            Job job = job(transients(), "in", out);
            job.setMapperClass(Fails.class);
            job.setNumReduceTasks(0);
            assertThat(job.waitForCompletion(false)).isTrue();
            assertThat(lines(out)).isEqualTo(original.lines().sorted().toList());
        }
        fs().delete(path("t1"), true);
        fs().delete(path("out1"), true);
        fs().delete(path("in"), true);
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
        input();
        for (String out : new String[] {"t2", "out2"}) {
            Configuration conf = transients();
            conf.setBoolean("test.always", true);
            Job job = job(conf, "in", out);
            job.setMapperClass(Fails.class);
            job.setNumReduceTasks(0);
            job.setMaxMapAttempts(2);
            assertThat(job.waitForCompletion(false)).isFalse();
            assertThat(names(out)).isEmpty();
            assertThat(fs().listStatus(path(out))).isEmpty();
        }
        fs().delete(path("in"), true);
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
    }

    @Test
    void sequenceFilesMapFilesAndTheOldApi() throws Exception {
        Job maps = job(transients(), "in", "t1");
        maps.setOutputFormatClass(MapFileOutputFormat.class);
        assertThat(maps.waitForCompletion(false)).isTrue();
        assertThat(names("t1")).isEmpty();
        MapFile.Reader[] readers = MapFileOutputFormat.getReaders(path("t1"), transients());
        Text value = new Text();
        boolean found = false;
        for (MapFile.Reader reader : readers) {
            found |= reader.get(new Text("k12345"), value) != null;
            reader.close();
        }
        assertThat(found).isTrue();
        assertThat(original).contains("k12345\t" + value);

        Job sequence = job(conf(BOUND), "t1", "out2");
        sequence.setInputFormatClass(SequenceFileInputFormat.class);
        sequence.setOutputFormatClass(SequenceFileOutputFormat.class);
        assertThat(sequence.waitForCompletion(false)).isTrue();

        JobConf old = new JobConf(conf(BOUND));
        old.setInputFormat(org.apache.hadoop.mapred.SequenceFileInputFormat.class);
        old.setOutputKeyClass(Text.class);
        old.setOutputValueClass(Text.class);
        org.apache.hadoop.mapred.FileInputFormat.addInputPath(old, path("out2"));
        org.apache.hadoop.mapred.FileOutputFormat.setOutputPath(old, path("out3"));
        org.apache.hadoop.mapred.RunningJob ran = JobClient.runJob(old);
        assertThat(ran.getCounters().getGroup(FileCounter.GROUP).getCounter(FileCounter.CACHE_HITS.name()))
                .isPositive();
        assertThat(lines("out3")).isEqualTo(original.lines().sorted().toList());
    }

    @Test
    void jobsAtOneTimeShareTheCache() throws Exception {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Configuration conf = transients();
            conf.set(EngineSettings.CACHE, "1m");
            Job job = job(conf, "in", (i % 2 == 0 ? "t" : "out") + i);
            job.submit();
            jobs.add(job);
        }
        for (int i = 0; i < jobs.size(); i++) {
            assertThat(jobs.get(i).waitForCompletion(false)).isTrue();
            assertThat(lines((i % 2 == 0 ? "t" : "out") + i))
                    .isEqualTo(original.lines().sorted().toList());
        }
        assertThat(BlockCache.ofJvm().usedBytes()).isBetween(1L, 1L << 20);
    }

    @Test
    void iterativeProgramNeedsNoChange() throws Exception {
        PageRank.generate(fs(), path("graph"), 300, 5, 3);
        for (String framework : new String[] {"local", "berth"}) {
            Configuration conf = TestJobs.conf(framework, work);
            conf.set("mapreduce.job.reduces", "2");
            if (framework.equals("berth")) {
                conf.set(EngineSettings.CACHE, BOUND);
                conf.set(EngineSettings.TRANSIENT, work + "/berth/{parts,ranks}*");
            }
            String[] arguments = {path("graph").toString(), path(framework).toString(), "2"};
            assertThat(ToolRunner.run(conf, new PageRank(), arguments)).isZero();
        }
        assertThat(Files.readString(work.resolve("berth/result")))
                .isEqualTo(Files.readString(work.resolve("local/result")));
        assertThat(names("berth")).containsExactlyInAnyOrder("result", ".result.crc");
    }
}
