package org.berth.hadoopjobs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.SecondarySort;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Jobs, their input, and what they wrote. */
public final class TestJobs {
    private TestJobs() {}

    /**
     * Settings of a client.
     *
     * @param framework name of the engine
     * @param work folder for all files
     */
    public static Configuration conf(String framework, Path work) {
        Configuration conf = new Configuration();
        conf.set("mapreduce.framework.name", framework);
        conf.set("hadoop.tmp.dir", work.resolve("tmp-" + framework).toString());
        conf.set(
                "mapreduce.cluster.local.dir",
                work.resolve("local-" + framework).toString());
        conf.set(
                "mapreduce.jobtracker.staging.root.dir", work.resolve("staging").toString());
        conf.set("fs.defaultFS", "file:///");
        conf.setInt("mapreduce.client.completion.pollinterval", 50);
        conf.setInt("mapreduce.client.progressmonitor.pollinterval", 50);
        return conf;
    }

    /** Runs a program, and returns its exit code. */
    public static int run(Configuration conf, Tool program, String... words) throws Exception {
        return ToolRunner.run(conf, program, words);
    }

    /** Returns a path of Hadoop's. */
    public static org.apache.hadoop.fs.Path path(Path file) {
        return new org.apache.hadoop.fs.Path(file.toString());
    }

    private static void lines(Path file, int number, Supplier<String> line) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, Stream.generate(line).limit(number).collect(Collectors.joining("\n", "", "\n")));
    }

    /** Writes files with lines of eight words. */
    public static void text(Path folder, int files, int lines, long seed) throws IOException {
        Random random = new Random(seed);
        for (int f = 0; f < files; f++) {
            lines(
                    folder.resolve("part" + f + ".txt"),
                    lines,
                    () -> Stream.generate(() -> "w" + Integer.toString(random.nextInt(3000), 36))
                            .limit(8)
                            .collect(Collectors.joining(" ")));
        }
    }

    /** Writes a file with 600 pairs of numbers. */
    public static void pairs(Path folder, long seed) throws IOException {
        Random random = new Random(seed);
        lines(folder.resolve("a.txt"), 600, () -> random.nextInt(20) + " " + (random.nextInt(2000) - 1000));
    }

    /** The job of Hadoop's example, with its combiner. */
    public static Job wordCount(Configuration conf, Path in, Path out, int reduces) throws IOException {
        Job job = job(conf, WordCount.TokenizerMapper.class, in, out, reduces);
        job.setJarByClass(WordCount.class);
        job.setCombinerClass(WordCount.IntSumReducer.class);
        job.setReducerClass(WordCount.IntSumReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        return job;
    }

    /** The job of Hadoop's example. */
    public static Job secondarySort(Configuration conf, Path in, Path out, int reduces) throws IOException {
        Job job = job(conf, SecondarySort.MapClass.class, in, out, reduces);
        job.setReducerClass(SecondarySort.Reduce.class);
        job.setPartitionerClass(SecondarySort.FirstPartitioner.class);
        job.setGroupingComparatorClass(SecondarySort.FirstGroupingComparator.class);
        job.setMapOutputKeyClass(SecondarySort.IntPair.class);
        job.setMapOutputValueClass(IntWritable.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        return job;
    }

    /** Writes the three lines that the jobs of {@link #of} read: two in one file, one in another. */
    public static void threeLines(Path work) throws IOException {
        Files.createDirectories(work.resolve("in"));
        Files.writeString(work.resolve("in/a"), "one\ntwo\n");
        Files.writeString(work.resolve("in/b"), "three\n");
    }

    /** Returns a job from the folder {@code in} to another one; its mapper gets and gives numbers with lines. */
    public static Job of(
            Configuration conf, Class<? extends Mapper<?, ?, ?, ?>> mapper, Path work, String out, int reduces)
            throws IOException {
        Job job = job(conf, mapper, work.resolve("in"), work.resolve(out), reduces);
        job.setOutputKeyClass(LongWritable.class);
        job.setOutputValueClass(Text.class);
        return job;
    }

    private static Job job(
            Configuration conf, Class<? extends Mapper<?, ?, ?, ?>> mapper, Path in, Path out, int reduces)
            throws IOException {
        Job job = Job.getInstance(conf);
        job.setMapperClass(mapper);
        job.setNumReduceTasks(reduces);
        FileInputFormat.addInputPath(job, path(in));
        FileOutputFormat.setOutputPath(job, path(out));
        return job;
    }

    /**
     * Counters that mean the same in all engines. Spills and clocks are each engine's own; bytes of files are Hadoop's count of what
     * all threads of the JVM have read and written meanwhile.
     */
    public static Map<String, Long> comparable(Counters counters) {
        Map<String, Long> result = comparableWithBytes(counters);
        result.keySet().removeIf(name -> name.endsWith(".BYTES_READ") || name.endsWith(".BYTES_WRITTEN"));
        return result;
    }

    /** The same with the bytes of input and output, which one thread counts rightly. */
    public static Map<String, Long> comparableWithBytes(Counters counters) {
        Map<String, Long> result = new TreeMap<>();
        for (CounterGroup group : counters) {
            for (Counter counter : group) {
                boolean own = group.getName().contains("FileSystemCounter")
                        || counter.getName().matches(".*(SPILLED|MILLIS|HEAP|MEMORY|MATERIALIZED|SHUFFLE_BYTES).*");
                if (!own) {
                    result.put(group.getName() + "." + counter.getName(), counter.getValue());
                }
            }
        }
        return result;
    }

    /**
     * Returns the contents of all files below a folder, by name, {@code _SUCCESS} included and hidden ones left out; Latin-1 keeps
     * every byte. Empty when there is no folder.
     */
    public static Map<String, String> output(Path folder) throws IOException {
        Map<String, String> result = new TreeMap<>();
        if (!Files.exists(folder)) {
            return result;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.getFileName().toString().startsWith(".")) {
                    result.put(folder.relativize(file).toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
                }
            }
        }
        return result;
    }

    /** Returns all lines below a folder, sorted. */
    public static List<String> sortedLines(Path folder) throws IOException {
        return output(folder).values().stream().flatMap(String::lines).sorted().toList();
    }
}
