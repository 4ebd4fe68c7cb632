package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.WriterAppender;
import org.berth.hadoopjobs.TestJobs;
import org.berth.mapreduce.client.BerthJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The choice of the driver, and what a client may ask of jobs that have ended. */
@Tag("one-jdk")
class ClientTest {
    @TempDir
    Path work;

    private Job job(String out) throws IOException {
        Files.createDirectories(work.resolve("in"));
        Files.writeString(work.resolve("in/a"), "one\n");
        Job job = Job.getInstance(TestJobs.conf("berth", work));
        job.setNumReduceTasks(0);
        FileInputFormat.addInputPath(
                job, new org.apache.hadoop.fs.Path(work.resolve("in").toString()));
        FileOutputFormat.setOutputPath(
                job, new org.apache.hadoop.fs.Path(work.resolve(out).toString()));
        return job;
    }

    @Test
    void endedJobsAnswerUntilTheyAreForgotten() throws Exception {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Job job = job("out" + i);
            job.getConfiguration().setInt("berth.mapreduce.history.jobs", 2);
            assertThat(job.waitForCompletion(false)).isTrue();
            jobs.add(job);
        }
        for (Job job : jobs.subList(1, 3)) {
            assertThat(job.getStatus().isJobComplete()).isTrue();
            assertThat(job.getCounters()
                            .findCounter(TaskCounter.MAP_INPUT_RECORDS)
                            .getValue())
                    .isEqualTo(1);
        }
        assertThatThrownBy(() -> jobs.get(0).getCounters())
                .hasMessageContaining(jobs.get(0).getJobID().toString())
                .hasMessageContaining("berth.mapreduce.history.jobs");
    }

    @Test
    void missingEngineIsOneLine() throws Exception {
        Job job = job("out");
        job.getConfiguration().set("berth.mapreduce.engine", "spark");
        assertThatThrownBy(job::submit).hasStackTraceContaining("add berth-hadoop-VERSION.jar to HADOOP_CLASSPATH");
        Job other = job("out");
        other.getConfiguration().set("berth.mapreduce.engine", "tez");
        assertThatThrownBy(other::submit).hasStackTraceContaining("there is no such engine");
    }

    @Test
    void unknownSettingIsOneLineInTheLogAndTheJobRuns() throws Exception {
        Job job = job("out");
        job.getConfiguration().set("berth.mapreduce.cache.bytes", "1g");
        StringWriter lines = new StringWriter();
        WriterAppender appender = new WriterAppender(new PatternLayout("%p %m%n"), lines);
        Logger log = Logger.getLogger(BerthJob.class);
        log.addAppender(appender);
        try {
            assertThat(job.waitForCompletion(false)).isTrue();
        } finally {
            log.removeAppender(appender);
        }
        assertThat(lines.toString().lines().filter(line -> line.contains("cache.bytes")))
                .singleElement()
                .asString()
                .startsWith("WARN the setting berth.mapreduce.cache.bytes is unknown and has no effect; there is ")
                .contains("berth.mapreduce.memory.bytes");
    }
}
