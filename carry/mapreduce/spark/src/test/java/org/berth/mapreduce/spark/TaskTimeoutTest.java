package org.berth.mapreduce.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.spark.SparkContext$;
import org.berth.hadoopjobs.Mappers;
import org.berth.hadoopjobs.StaticState;
import org.berth.hadoopjobs.TestJobs;
import org.berth.mapreduce.client.EngineSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that hang, and tasks with static state, on Spark in this JVM. */
@Tag("cluster")
@Tag("one-jdk")
@Timeout(300)
class TaskTimeoutTest {
    @TempDir
    Path work;

    @BeforeEach
    void anApplicationOfItsOwn() {
        Mappers.reset(10);
        SparkContext$.MODULE$.getActive().foreach(running -> {
            running.stop();
            return running;
        });
    }

    @AfterEach
    void tasksMayEnd() throws IOException {
        if (!Files.exists(work.resolve("open"))) {
            Files.createFile(work.resolve("open"));
        }
    }

    private Job job(Class<? extends Mapper<?, ?, ?, ?>> mapper, String out) throws IOException {
        Configuration conf = ClusterProgram.conf("berth", work);
        conf.set(ApplicationSettings.MASTER, "local[1]");
        conf.setInt("mapreduce.task.timeout", 500);
        conf.setInt("mapreduce.task.exit.timeout", 500);
        conf.setInt("mapreduce.map.maxattempts", 2);
        conf.set("test.open", work.resolve("open").toString());
        TestJobs.threeLines(work);
        return TestJobs.of(conf, mapper, work, out, 0);
    }

    @Test
    void attemptWithoutProgressIsStoppedAndRepeated() throws Exception {
        Job job = job(Mappers.Waits.class, "out");
        // An attempt that ends after the interrupt is not given up.
        job.getConfiguration().setInt("mapreduce.task.exit.timeout", 300_000);
        assertThat(job.waitForCompletion(false)).isFalse();
        assertThat(job.getStatus().getFailureInfo()).contains("2 times", "made no progress", "mapreduce.task.timeout");
        assertThat(TestJobs.output(work.resolve("out"))).isEmpty();
        assertThat(work.resolve("out/_temporary")).doesNotExist();
    }

    @Test
    void taskThatDoesNotEndFailsTheJobAndTheNextOneHasAllThreads() throws Exception {
        Job job = job(Mappers.Hangs.class, "out");
        // On a busy machine an attempt may be stopped before its mapper begins.
        job.getConfiguration().setInt("mapreduce.task.timeout", 2000);
        job.getConfiguration().setInt("mapreduce.map.maxattempts", 10);
        assertThat(job.waitForCompletion(false)).isFalse();
        assertThat(job.getStatus().getFailureInfo())
                .contains("mapreduce.task.timeout", "does not end after an interrupt");
        Job next = job(Mappers.FailsTwice.class, "next");
        next.getConfiguration().setInt("mapreduce.task.timeout", 600_000);
        assertThat(next.waitForCompletion(false)).isTrue();
        assertThat(TestJobs.sortedLines(work.resolve("next"))).containsExactly("0\tone", "0\tthree", "4\ttwo");
    }

    @Test
    void eachThreadHasStaticFieldsOfItsOwn() throws Exception {
        Map<String, List<Integer>> counts = counts("classloader");
        assertThat(counts).hasSizeGreaterThan(1);
        counts.values()
                .forEach(own -> assertThat(own)
                        .containsExactlyElementsOf(
                                IntStream.rangeClosed(1, own.size()).boxed().toList()));
        assertThat(counts("none").values().stream().flatMap(List::stream)).doesNotHaveDuplicates();
        assertThatThrownBy(() -> counts("process"))
                .hasStackTraceContaining("berth.mapreduce.isolation is 'process': give none or classloader");
    }

    private Map<String, List<Integer>> counts(String isolation) throws Exception {
        Configuration conf = ClusterProgram.conf("berth", work);
        conf.set(ApplicationSettings.MASTER, "local[2]");
        conf.set(EngineSettings.ISOLATION, isolation);
        assertThat(StaticState.job(conf, work, isolation).waitForCompletion(false))
                .isTrue();
        return StaticState.counts(work.resolve(isolation));
    }
}
