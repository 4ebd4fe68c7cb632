package org.berth.hadoopjobs;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** A job whose tasks count in a static field, two of them at a time at least. */
public final class StaticState {
    /** How many maps it has. */
    public static final int MAPS = 5;

    private StaticState() {}

    /** Returns the job, which reads and writes below the folder. */
    public static Job job(Configuration conf, Path work, String out) throws IOException {
        Path marks = Files.createDirectories(work.resolve("marks-" + System.nanoTime()));
        Path in = Files.createDirectories(work.resolve("static"));
        for (int i = 0; i < MAPS; i++) {
            Files.writeString(in.resolve("file" + i), "line\n");
        }
        Job job = Job.getInstance(conf);
        job.getConfiguration().set("test.folder", marks.toString());
        job.setJar(jar(work).toString());
        job.setMapperClass(StaticStateMapper.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(LongWritable.class);
        job.setNumReduceTasks(0);
        FileInputFormat.addInputPath(job, TestJobs.path(in));
        FileOutputFormat.setOutputPath(job, TestJobs.path(work.resolve(out)));
        return job;
    }

    private static Path jar(Path work) throws IOException {
        Path jar = work.resolve("static.jar");
        String name = StaticStateMapper.class.getName().replace('.', '/') + ".class";
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                var in = StaticStateMapper.class.getClassLoader().getResourceAsStream(name)) {
            out.putNextEntry(new JarEntry(name));
            in.transferTo(out);
        }
        return jar;
    }

    /** Returns what the tasks have counted, in ascending order, by their threads. */
    public static Map<String, List<Integer>> counts(Path out) throws IOException {
        Map<String, List<Integer>> result = new TreeMap<>();
        for (String file : TestJobs.output(out).values()) {
            file.lines().forEach(line -> {
                String[] fields = line.split("\t", -1);
                result.computeIfAbsent(fields[0], thread -> new ArrayList<>()).add(Integer.parseInt(fields[1]));
            });
        }
        result.values().forEach(list -> list.sort(null));
        return result;
    }
}
