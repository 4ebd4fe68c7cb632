package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.berth.hadoopjobs.Jobs;
import org.berth.mapreduce.client.EngineSettings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Static fields of a job's classes, with one loader for all worker threads and with one for each. */
@Tag("one-jdk")
class IsolationTest {
    private static final int MAPS = 5;

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
        assertThat(all).hasSize(MAPS);
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
        Map<String, List<Integer>> result = new TreeMap<>();
        for (Map.Entry<String, String> file : Jobs.output(work.resolve("out")).entrySet()) {
            file.getValue().lines().forEach(line -> {
                String[] fields = line.split("\t", -1);
                result.computeIfAbsent(fields[0], thread -> new java.util.ArrayList<>())
                        .add(Integer.parseInt(fields[1]));
            });
        }
        result.values().forEach(list -> list.sort(null));
        return result;
    }

    private Job job(String isolation) throws IOException {
        Path marks = Files.createDirectories(work.resolve("marks-" + System.nanoTime()));
        Path in = Files.createDirectories(work.resolve("in"));
        for (int i = 0; i < MAPS; i++) {
            Files.writeString(in.resolve("file" + i), "line\n");
        }
        Job job = Job.getInstance(Jobs.conf("berth", work));
        job.getConfiguration().set("test.folder", marks.toString());
        job.getConfiguration().set(EngineSettings.THREADS, "2");
        job.getConfiguration().set(EngineSettings.ISOLATION, isolation);
        job.setJar(jar().toString());
        job.setMapperClass(StaticStateMapper.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(LongWritable.class);
        job.setNumReduceTasks(0);
        FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(in.toString()));
        FileOutputFormat.setOutputPath(
                job, new org.apache.hadoop.fs.Path(work.resolve("out").toString()));
        return job;
    }

    private Path jar() throws IOException {
        Path jar = work.resolve("job.jar");
        String name = StaticStateMapper.class.getName().replace('.', '/') + ".class";
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                var in = StaticStateMapper.class.getClassLoader().getResourceAsStream(name)) {
            out.putNextEntry(new JarEntry(name));
            in.transferTo(out);
        }
        return jar;
    }
}
