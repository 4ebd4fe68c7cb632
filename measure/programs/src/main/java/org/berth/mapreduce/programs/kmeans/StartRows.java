package org.berth.mapreduce.programs.kmeans;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.berth.mapreduce.programs.shared.InputLines;
import org.berth.mapreduce.programs.shared.UsageException;

/** Chooses rows of the input to start from, all of them different; the client reads them. */
final class StartRows {
    private final Configuration conf;
    private final int wanted;
    private final Row row = new Row();

    StartRows(Configuration conf, int wanted) {
        this.conf = conf;
        this.wanted = wanted;
    }

    /** The first rows of the files in the order of their names; with a seed any rows, for which the client reads all of them. */
    Centroids choose(Path in, OptionalLong seed) throws IOException {
        List<double[]> chosen = seed.isPresent() ? any(in, seed.getAsLong()) : first(in);
        if (chosen.size() < wanted) {
            throw new UsageException(in + " has " + chosen.size() + " different rows, but --clusters is " + wanted
                    + ": give fewer clusters");
        }
        return new Centroids(chosen);
    }

    private List<double[]> first(Path in) throws IOException {
        LinkedHashMap<List<Double>, double[]> chosen = new LinkedHashMap<>();
        Text line = new Text();
        try (InputLines lines = new InputLines(conf, in)) {
            while (chosen.size() < wanted && lines.next(line)) {
                if (row.read(line)) {
                    double[] copy = row.copy();
                    chosen.putIfAbsent(Arrays.stream(copy).boxed().toList(), copy);
                }
            }
        }
        return List.copyOf(chosen.values());
    }

    /** Those with the smallest hash of seed and row: each row is as likely, and the order of the files does not matter. */
    private List<double[]> any(Path in, long seed) throws IOException {
        TreeMap<Long, double[]> chosen = new TreeMap<>();
        Text line = new Text();
        try (InputLines lines = new InputLines(conf, in)) {
            while (lines.next(line)) {
                if (row.read(line)) {
                    long hash = row.hash(seed);
                    if (chosen.size() < wanted || hash < chosen.lastKey()) {
                        chosen.put(hash, row.copy());
                    }
                    if (chosen.size() > wanted) {
                        chosen.pollLastEntry();
                    }
                }
            }
        }
        return List.copyOf(chosen.values());
    }
}
