package org.berth.mapreduce.programs.kmeans;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.commons.cli.Options;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.berth.mapreduce.programs.shared.CommandWords;
import org.berth.mapreduce.programs.shared.Program;
import org.berth.mapreduce.programs.shared.Steps;
import org.berth.mapreduce.programs.shared.UsageException;
import org.berth.mapreduce.programs.shared.WorkFolder;

/**
 * K-Means by Lloyd's algorithm (1982), a job for each iteration. Sums are exact, so the centroids are the same to the last bit for any
 * number of maps on any engine. A cluster without rows keeps its centroid. For one thread.
 */
public final class KMeans extends Program {
    private static final int LARGEST = 1_000_000;

    /** Made by the main class. */
    public KMeans() {
        super("kmeans", "IN OUT", "K-Means over rows of numbers; the output is a row for each centroid.");
    }

    @Override
    protected Options options() {
        return new Options()
                .addOption(option("clusters", "K", "number of clusters; default: 10"))
                .addOption(option("centroids", "FILE", "rows to start from; default: the first K different rows of IN"))
                .addOption(option("seed", "N", "start from K different rows that this number chooses"))
                .addOption(option("iterations", "N", "maximum of iterations; default: 5"))
                .addOption(option(
                        "bound",
                        "X",
                        "stop when the squared movements of all centroids add up to at most X; default: 0"))
                .addOption(flag("assign", "also write the number of each row's cluster, from 0, to OUT/assignment"))
                .addOption(WorkFolder.option());
    }

    @Override
    protected void execute(CommandWords words) throws Exception {
        int clusters = words.number("clusters", 10, 1, LARGEST);
        int iterations = words.number("iterations", 5, 1, Integer.MAX_VALUE);
        double bound = words.real("bound", 0, 0, Double.MAX_VALUE);
        Path in = words.input(0);
        Path out = words.output(1);
        Centroids centroids = start(words, in, clusters);
        try (WorkFolder work = WorkFolder.make(words, out, getConf())) {
            // The local runner links the file in the working directory: two programs there must not share a name.
            String name = "centroids-" + Long.toHexString(System.nanoTime()) + "-";
            double moved;
            int i = 0;
            do {
                i++;
                Path sums = work.path("sums" + i);
                Path file = work.path(name + i);
                centroids.write(getConf(), file);
                Steps.run(round(in, file, sums, "kmeans " + i));
                List<double[]> next = new ArrayList<>();
                for (int cluster = 0; cluster < centroids.count(); cluster++) {
                    next.add(centroids.row(cluster));
                }
                double cost = read(sums, next);
                Centroids means = new Centroids(next);
                moved = means.squaredDistance(centroids);
                centroids = means;
                System.out.println("iteration " + i + ": cost " + cost + ", moved " + moved);
                work.remove(sums);
                work.remove(file);
            } while (i < iterations && moved > bound);
            Path result = work.path("result");
            Path file = new Path(result, "part-r-00000");
            centroids.write(getConf(), file);
            if (words.has("assign")) {
                Path shared = work.path(name + "last");
                centroids.write(getConf(), shared);
                Steps.run(assignment(in, shared, new Path(result, "assignment")));
            }
            work.move(result, out);
        }
    }

    private Centroids start(CommandWords words, Path in, int clusters) throws IOException {
        Optional<Path> file = words.input("centroids");
        if (file.isEmpty()) {
            OptionalLong seed = words.has("seed")
                    ? OptionalLong.of(words.longNumber("seed", 0, Long.MIN_VALUE, Long.MAX_VALUE))
                    : OptionalLong.empty();
            return new StartRows(getConf(), clusters).choose(in, seed);
        }
        if (words.has("seed") || words.has("clusters")) {
            throw new UsageException("--centroids has the clusters to start from: leave out --clusters and --seed");
        }
        Centroids centroids = Centroids.read(getConf(), file.get());
        if (centroids.count() == 0) {
            throw new UsageException(file.get() + " has no rows: give one for each cluster");
        }
        return centroids;
    }

    private Job round(Path in, Path centroids, Path out, String name) throws IOException {
        Job job = Steps.job(getConf(), name, KMeans.class);
        Assignment.share(job, centroids);
        job.setMapperClass(SumRound.Assign.class);
        job.setCombinerClass(SumRound.Combine.class);
        job.setReducerClass(SumRound.Mean.class);
        job.setMapOutputKeyClass(IntWritable.class);
        job.setMapOutputValueClass(ClusterSums.class);
        job.setOutputKeyClass(IntWritable.class);
        job.setOutputValueClass(Text.class);
        FileInputFormat.addInputPath(job, in);
        FileOutputFormat.setOutputPath(job, out);
        FileOutputFormat.setCompressOutput(job, false);
        return job;
    }

    private Job assignment(Path in, Path centroids, Path out) throws IOException {
        Job job = Steps.job(getConf(), "kmeans assignment", KMeans.class);
        Assignment.share(job, centroids);
        job.setMapperClass(RowClusterMapper.class);
        job.setNumReduceTasks(0);
        job.setOutputKeyClass(IntWritable.class);
        job.setOutputValueClass(NullWritable.class);
        FileInputFormat.addInputPath(job, in);
        FileOutputFormat.setOutputPath(job, out);
        return job;
    }

    /** Replaces the centroids of clusters with rows, and returns the cost of all clusters. */
    private double read(Path sums, List<double[]> centroids) throws IOException {
        FileSystem fs = sums.getFileSystem(getConf());
        double[] costs = new double[centroids.size()];
        int found = 0;
        for (FileStatus part : fs.globStatus(new Path(sums, "part-*"))) {
            Centroids lines = Centroids.read(getConf(), part.getPath());
            for (int i = 0; i < lines.count(); i++) {
                double[] line = lines.row(i);
                int cluster = (int) line[0];
                costs[cluster] = line[1];
                centroids.set(cluster, Arrays.copyOfRange(line, 2, line.length));
                found++;
            }
        }
        if (found == 0) {
            throw new UsageException("the input has no rows: give lines of numbers");
        }
        return Arrays.stream(costs).sum();
    }
}
