package org.berth.mapreduce.spark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Jobs, their input, and what they wrote. */
final class Jobs {
    private Jobs() {}

    static Configuration conf(String framework, Path work) {
        Configuration conf = new Configuration();
        conf.set("mapreduce.framework.name", framework);
        conf.set("berth.mapreduce.engine", "spark");
        conf.set("hadoop.tmp.dir", work.resolve("tmp-" + framework).toString());
        conf.set(
                "mapreduce.cluster.local.dir",
                work.resolve("local-" + framework).toString());
        conf.set(
                "mapreduce.jobtracker.staging.root.dir", work.resolve("staging").toString());
        conf.set("fs.defaultFS", "file:///");
        conf.setInt("mapreduce.client.completion.pollinterval", 50);
        conf.setInt("mapreduce.client.progressmonitor.pollinterval", 50);
        conf.set("spark.ui.enabled", "false");
        return conf;
    }

    static void text(Path folder, int files, int lines, long seed) throws IOException {
        Random random = new Random(seed);
        Files.createDirectories(folder);
        for (int f = 0; f < files; f++) {
            String content = Stream.generate(() -> Stream.generate(
                                    () -> "w" + Integer.toString(random.nextInt(3000), 36))
                            .limit(8)
                            .collect(Collectors.joining(" ")))
                    .limit(lines)
                    .collect(Collectors.joining("\n", "", "\n"));
            Files.writeString(folder.resolve("part" + f + ".txt"), content);
        }
    }

    static Job wordCount(Configuration conf, Path in, Path out, int reduces) throws IOException {
        Job job = Job.getInstance(conf, "word count");
        job.setMapperClass(WordCount.TokenizerMapper.class);
        job.setCombinerClass(WordCount.IntSumReducer.class);
        job.setReducerClass(WordCount.IntSumReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        job.setNumReduceTasks(reduces);
        FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(in.toString()));
        FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(out.toString()));
        return job;
    }

    /**
     * Counters that mean the same in both engines. Spills and clocks are each engine's own; bytes of files are Hadoop's count of
     * what all threads of the JVM have read and written meanwhile.
     */
    static Map<String, Long> comparable(Job job) throws IOException {
        Map<String, Long> result = new TreeMap<>();
        for (CounterGroup group : job.getCounters()) {
            for (Counter counter : group) {
                boolean own = group.getName().contains("FileSystemCounter")
                        || counter.getName()
                                .matches(
                                        ".*(SPILLED|MILLIS|HEAP|MEMORY|MATERIALIZED|SHUFFLE_BYTES|BYTES_READ|BYTES_WRITTEN).*");
                if (!own) {
                    result.put(group.getName() + "." + counter.getName(), counter.getValue());
                }
            }
        }
        return result;
    }

    /** Contents of all files that a reader of the output sees, and of {@code _SUCCESS}; Latin-1 keeps every byte. */
    static Map<String, String> output(Path folder) throws IOException {
        Map<String, String> result = new TreeMap<>();
        if (!Files.exists(folder)) {
            return result;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString();
                if (!file.getFileName().toString().startsWith(".")) {
                    result.put(name, Files.readString(file, StandardCharsets.ISO_8859_1));
                }
            }
        }
        return result;
    }
}
