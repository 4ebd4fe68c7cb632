package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.berth.hadoopjobs.StaticState;
import org.berth.hadoopjobs.TestJobs;
import org.berth.mapreduce.client.EngineSettings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Static fields of a job's classes, with one loader for all worker threads and with one for each. */
@Tag("one-jdk")
class IsolationTest {
    @TempDir
    Path work;

    @Test
    void eachWorkerThreadHasStaticFieldsOfItsOwn() throws Exception {
        Map<String, List<Integer>> counts = countsByThread("classloader");
        assertThat(counts).hasSize(2);
        counts.values()
                .forEach(own -> assertThat(own)
                        .containsExactlyElementsOf(
                                IntStream.rangeClosed(1, own.size()).boxed().toList()));
    }

    @Test
    void worksForAnotherJobOfTheSameJar() throws Exception {
        countsByThread("classloader");
        Files.move(work.resolve("out"), work.resolve("first"));
        assertThat(countsByThread("classloader").values())
                .allSatisfy(own -> assertThat(own).contains(1));
    }

    @Test
    void threadsShareThemWithoutIt() throws Exception {
        TreeSet<Integer> all = new TreeSet<>();
        countsByThread("none").values().forEach(all::addAll);
        assertThat(all).hasSize(StaticState.MAPS);
    }

    @Test
    void refusesAnotherWord() throws Exception {
        Job job = job("process");
        assertThatThrownBy(job::submit)
                .hasStackTraceContaining("berth.mapreduce.isolation is 'process': give none or classloader");
    }

    private Map<String, List<Integer>> countsByThread(String isolation) throws Exception {
        Job job = job(isolation);
        assertThat(job.waitForCompletion(false)).isTrue();
        return StaticState.counts(work.resolve("out"));
    }

    private Job job(String isolation) throws IOException {
        Configuration conf = TestJobs.conf("berth", work);
        conf.set(EngineSettings.THREADS, "2");
        conf.set(EngineSettings.ISOLATION, isolation);
        return StaticState.job(conf, work, "out");
    }
}
