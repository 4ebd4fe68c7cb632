package org.berth.mapreduce.standalone;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.map.TokenCounterMapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;

/** A small job of Hadoop's own classes, which loads what most jobs load: a class-data archive is made of it. */
public final class ArchiveJob {
    private ArchiveJob() {}

    /** Exit code 0 when the job has ended well. */
    public static void main(String[] words) throws Exception {
        Path folder = Files.createTempDirectory("berth-archive");
        try {
            Path input = Files.writeString(folder.resolve("input"), "to be or not to be\n");
            Configuration conf = new Configuration();
            conf.set("mapreduce.framework.name", "berth");
            conf.set("fs.defaultFS", "file:///");
            conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
            conf.set("mapreduce.client.progressmonitor.pollinterval", "50");
            Job job = Job.getInstance(conf, "archive");
            job.setMapperClass(TokenCounterMapper.class);
            job.setCombinerClass(IntSumReducer.class);
            job.setReducerClass(IntSumReducer.class);
            job.setOutputKeyClass(Text.class);
            job.setOutputValueClass(IntWritable.class);
            FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
            FileOutputFormat.setOutputPath(
                    job, new org.apache.hadoop.fs.Path(folder.resolve("output").toUri()));
            if (!job.waitForCompletion(true)) {
                throw new IllegalStateException("the job failed");
            }
        } finally {
            remove(folder);
        }
    }

    private static void remove(Path folder) throws Exception {
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> paths = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : paths) {
                Files.delete(path);
            }
        }
    }
}
