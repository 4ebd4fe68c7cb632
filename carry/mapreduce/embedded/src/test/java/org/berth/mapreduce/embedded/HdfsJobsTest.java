package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.berth.hadoopjobs.TestJobs;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.mapreduce.embedded.cache.BlockCache;
import org.berth.mapreduce.embedded.cache.FileCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on a real HDFS that read what earlier jobs wrote or read, next to Hadoop's local runner on the same files. */
@Tag("one-jdk")
@Tag("cluster")
@ExtendWith(SharedHdfs.class)
class HdfsJobsTest {
    /** Blocks of the cache in a file of the test; a second split may find the one that the first has read beyond its end. */
    private static final long PIECES = 6;

    @TempDir
    Path work;

    private FileSystem plain;

    @BeforeEach
    void input() throws IOException {
        plain = SharedHdfs.connect();
        Random random = new Random(11);
        StringBuilder text = new StringBuilder();
        // Each key once, in no order.
        for (long i = 1; text.length() < SharedHdfs.BLOCK_BYTES + 300_000; i++) {
            text.append(String.format("k%08d\t%08x%n", i * 7_654_321 % 10_000_019, random.nextInt()));
        }
        try (FSDataOutputStream out = plain.create(path("in/a"))) {
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    @AfterEach
    void empty() throws IOException {
        plain.delete(path(""), true);
        plain.close();
        BlockCache.ofJvm().limit(0);
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
    }

    private static org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path("/jobs/" + name);
    }

    private Configuration conf(String framework, String bytes) throws IOException {
        Configuration conf = TestJobs.conf(framework, work);
        conf.set("fs.defaultFS", SharedHdfs.cluster().getURI().toString());
        conf.setInt("dfs.replication", 1);
        conf.set(EngineSettings.CACHE, bytes);
        return conf;
    }

    private static Job job(Configuration conf, String in, String out) throws IOException {
        return TestJobs.sortOfPairs(conf, path(in), path(out));
    }

    private Job ran(Configuration conf, String in, String out) throws Exception {
        Job job = job(conf, in, out);
        assertThat(job.waitForCompletion(false)).isTrue();
        return job;
    }

    private static long count(Job job, FileCounter counter) throws IOException {
        return job.getCounters().findCounter(FileCounter.GROUP, counter.name()).getValue();
    }

    private static long bytesRead(Job job) throws IOException {
        return job.getCounters().findCounter(FileInputFormatCounter.BYTES_READ).getValue();
    }

    private Map<String, String> output(String folder) throws IOException {
        Map<String, String> result = new TreeMap<>();
        for (FileStatus file : plain.listStatus(path(folder))) {
            try (java.io.InputStream in = plain.open(file.getPath())) {
                result.put(file.getPath().getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return result;
    }

    @Test
    void chainOfJobsReadsFromMemory() throws Exception {
        long length = plain.getFileStatus(path("in/a")).getLen();
        Job first = ran(conf("berth", "16m"), "in", "out1");
        assertThat(count(first, FileCounter.CACHE_MISSES)).isGreaterThanOrEqualTo(PIECES);
        Job next = ran(conf("berth", "16m"), "out1", "out2");
        Job again = ran(conf("berth", "16m"), "in", "again");
        for (Job job : new Job[] {next, again}) {
            assertThat(count(job, FileCounter.CACHE_HIT_BYTES)).isGreaterThanOrEqualTo(length);
            assertThat(count(job, FileCounter.CACHE_MISSES)).isZero();
        }
        Job off = ran(conf("berth", "0"), "out1", "off");
        Job local = ran(conf("local", "0"), "out1", "local");
        assertThat(bytesRead(next)).isEqualTo(bytesRead(off)).isEqualTo(bytesRead(local));
        assertThat(output("local")).hasSize(2);
        assertThat(output("out2")).isEqualTo(output("local"));
        assertThat(output("again")).isEqualTo(output("out1"));

        // The program's own file system, and another client that changes a file to one of the same length and time.
        FileSystem own = FileSystem.get(conf("berth", "16m"));
        assertThat(own.rename(path("out1"), path("renamed"))).isTrue();
        assertThat(count(ran(conf("berth", "16m"), "renamed", "out3"), FileCounter.CACHE_MISSES))
                .isZero();
        FileStatus part = plain.getFileStatus(path("renamed/part-r-00000"));
        String changed = output("renamed").getOrDefault("part-r-00000", "").replace('k', 'z');
        try (FSDataOutputStream out = plain.create(part.getPath(), true)) {
            out.write(changed.getBytes(StandardCharsets.UTF_8));
        }
        plain.setTimes(part.getPath(), part.getModificationTime(), -1);
        assertThat(count(ran(conf("berth", "16m"), "renamed", "out4"), FileCounter.CACHE_MISSES))
                .isGreaterThanOrEqualTo(PIECES);
        assertThat(output("out4").get("part-r-00000")).hasSize((int) length).startsWith("z");
        own.delete(path(""), true);
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
    }

    static final class FailsAtFirst extends Mapper<Text, Text, Text, Text> {
        @Override
        protected void cleanup(Context context) throws IOException {
            if (context.getTaskAttemptID().getId() == 0) {
                throw new IOException("as the test wants it");
            }
        }
    }

    @Test
    void failedAttemptsLeaveNothing() throws Exception {
        Job job = job(conf("berth", "16m"), "in", "out");
        job.setMapperClass(FailsAtFirst.class);
        job.setNumReduceTasks(0);
        assertThat(job.waitForCompletion(false)).isTrue();
        long kept = 0;
        for (FileStatus file : plain.listStatus(path("out"))) {
            kept += file.getLen();
        }
        assertThat(BlockCache.ofJvm().usedBytes())
                .isEqualTo(kept + plain.getFileStatus(path("in/a")).getLen());
        FileSystem.get(conf("berth", "16m")).delete(path(""), true);
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
    }
}
