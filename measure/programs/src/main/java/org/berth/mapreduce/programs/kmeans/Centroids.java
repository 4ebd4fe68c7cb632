package org.berth.mapreduce.programs.kmeans;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;

/** Centroids of clusters, all of the same length; text has every digit of them. */
final class Centroids {
    private final List<double[]> rows;

    Centroids(List<double[]> rows) {
        this.rows = List.copyOf(rows);
        for (double[] row : rows) {
            if (row.length != rows.get(0).length) {
                throw new IllegalArgumentException(
                        "a centroid has " + row.length + " numbers, the first one " + rows.get(0).length);
            }
        }
    }

    /** Reads a file of rows. */
    static Centroids read(Configuration conf, Path file) throws IOException {
        List<double[]> rows = new ArrayList<>();
        Row row = new Row();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(file.getFileSystem(conf).open(file), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (row.read(new Text(line))) {
                    rows.add(row.copy());
                }
            }
        }
        return new Centroids(rows);
    }

    void write(Configuration conf, Path file) throws IOException {
        try (FSDataOutputStream out = file.getFileSystem(conf).create(file)) {
            for (int cluster = 0; cluster < count(); cluster++) {
                out.write((text(row(cluster)) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    int count() {
        return rows.size();
    }

    int columns() {
        return rows.isEmpty() ? 0 : rows.get(0).length;
    }

    double[] row(int cluster) {
        return rows.get(cluster);
    }

    /** Numbers with a comma between them, which are read back to the last bit. */
    static String text(double[] row) {
        return Arrays.stream(row).mapToObj(Double::toString).collect(Collectors.joining(","));
    }

    /** Sum of the squared distances between these and the others. */
    double squaredDistance(Centroids others) {
        double sum = 0;
        for (int cluster = 0; cluster < count(); cluster++) {
            for (int column = 0; column < columns(); column++) {
                double difference = rows.get(cluster)[column] - others.rows.get(cluster)[column];
                sum += difference * difference;
            }
        }
        return sum;
    }
}
