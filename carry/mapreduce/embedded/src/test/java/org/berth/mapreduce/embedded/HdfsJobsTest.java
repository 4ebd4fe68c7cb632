package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskType;
import org.berth.hadoopjobs.TestJobs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A job on a real HDFS, by Hadoop's local runner and by this engine. */
@Tag("one-jdk")
@Tag("cluster")
@ExtendWith(SharedHdfs.class)
class HdfsJobsTest {
    private static final Path FOLDER = Path.of("/jobs");

    @TempDir
    Path work;

    private Job ran(String framework) throws Exception {
        Configuration conf = TestJobs.conf(framework, work);
        conf.set("fs.defaultFS", SharedHdfs.cluster().getURI().toString());
        conf.setInt("dfs.replication", 1);
        Job job = TestJobs.wordCount(conf, FOLDER.resolve("in"), FOLDER.resolve(framework), 2);
        // How often it runs is each engine's own.
        job.getConfiguration().unset(MRJobConfig.COMBINE_CLASS_ATTR);
        assertThat(job.waitForCompletion(false)).isTrue();
        return job;
    }

    private static Map<String, String> output(FileSystem hdfs, String folder) throws IOException {
        Map<String, String> result = new TreeMap<>();
        for (FileStatus file : hdfs.listStatus(TestJobs.path(FOLDER.resolve(folder)))) {
            try (InputStream in = hdfs.open(file.getPath())) {
                result.put(file.getPath().getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return result;
    }

    @Test
    void outputAndCountersAreThoseOfHadoopsLocalRunner() throws Exception {
        Random random = new Random(11);
        StringBuilder text = new StringBuilder();
        int lines = 0;
        // The second block begins within a line, whose length is odd.
        for (; text.length() < SharedHdfs.BLOCK_BYTES + 300_000; lines++) {
            text.append(String.format(Locale.ROOT, "w%03d %08x of\n", random.nextInt(1000), random.nextInt()));
        }
        try (FileSystem hdfs = SharedHdfs.connect()) {
            try (FSDataOutputStream out = hdfs.create(TestJobs.path(FOLDER.resolve("in/a")))) {
                out.write(text.toString().getBytes(StandardCharsets.UTF_8));
            }
            Job expected = ran("local");
            Job job = ran("berth");
            assertThat(output(hdfs, "berth"))
                    .containsOnlyKeys("_SUCCESS", "part-r-00000", "part-r-00001")
                    .isEqualTo(output(hdfs, "local"));
            assertThat(TestJobs.comparableWithBytes(job.getCounters()))
                    .isEqualTo(TestJobs.comparableWithBytes(expected.getCounters()));
            assertThat(job.getTaskReports(TaskType.MAP)).hasSize(2);
            assertThat(job.getCounters()
                            .findCounter(TaskCounter.MAP_INPUT_RECORDS)
                            .getValue())
                    .isEqualTo(lines);
        }
    }
}
