package org.berth.jobs.kmeans;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.berth.jobkit.JobException;
import org.berth.jobkit.JobMain;
import org.berth.jobs.SparkStart;

/**
 * K-Means (Lloyd's algorithm) on Spark's RDDs, as a job to compare placements with. Every run of the same options does
 * the same work and gives the same result, bit for bit, whichever thread computes which slice: slices are cached as
 * flat arrays, each task sends back the partial sums of its slice, and the driver merges them in the order of the
 * slices (a reduce merges in the order in which tasks end, which changes the last digits).
 *
 * <p>Prints {@code berth-job-seconds=<seconds of all iterations, without start and load>} and {@code
 * berth-job-result=<cost> <CRC-32 of the centres>}.
 */
public final class SparkKMeans {
    private SparkKMeans() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        SparkStart.run("kmeans", new KMeansOptions(), arguments, SparkKMeans::table, SparkKMeans::run);
    }

    private static NumberTable table(KMeansOptions options) {
        NumberTable table = NumberTableReader.read(options.input());
        if (options.clusters() > table.rows()) {
            throw JobException.failure("cannot find " + options.clusters() + " clusters in the " + table.rows()
                    + " rows of " + options.input() + "; use fewer --clusters");
        }
        checkMemory(table, options);
        return table;
    }

    private static void run(KMeansOptions options) {
        NumberTable table = table(options);
        SparkConf conf = SparkStart.withoutCleaner("kmeans", options.threads());
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            JavaRDD<NumberTable> slices = load(spark, table, options);
            NumberTable centres = firstCentres(table, options.clusters());
            double cost = 0;
            long start = System.nanoTime();
            for (int i = 0; i < options.iterations(); i++) {
                PartialSums sums = iterate(slices, centres);
                centres = sums.centres(centres);
                cost = sums.cost();
            }
            long nanos = System.nanoTime() - start;
            JobMain.printResult(JobMain.seconds(nanos), String.format(Locale.ROOT, "%s %08x", cost, checksum(centres)));
        }
    }

    /** Spark drops cached slices that do not fit and computes them again in every iteration: slow, and silent. */
    private static void checkMemory(NumberTable table, KMeansOptions options) {
        double needed = (double) Tiling.rows(table, options.tile()) * table.columns() * Float.BYTES;
        double heap = Runtime.getRuntime().maxMemory();
        if (needed > heap / 2) {
            throw JobException.failure(String.format(
                    Locale.ROOT,
                    "the tiled table takes %.0f MB and should take at most half of the Java heap (%.0f MB);"
                            + " use a smaller --tile or a larger -Xmx",
                    needed / 1e6,
                    heap / 1e6));
        }
    }

    private static JavaRDD<NumberTable> load(JavaSparkContext spark, NumberTable table, KMeansOptions options) {
        Broadcast<NumberTable> input = spark.broadcast(table);
        int tile = options.tile();
        int slices = options.slices();
        JavaRDD<NumberTable> rows = spark.parallelize(
                        IntStream.range(0, slices).boxed().toList(), slices)
                .map(slice -> Tiling.slice(input.value(), tile, slice, slices))
                .cache();
        rows.count();
        return rows;
    }

    /** The centres travel inside the stage's code, which Spark broadcasts anyway. */
    private static PartialSums iterate(JavaRDD<NumberTable> slices, NumberTable centres) {
        List<PartialSums> parts =
                slices.map(rows -> PartialSums.assign(rows, centres)).collect();
        PartialSums all = new PartialSums(centres.rows(), centres.columns());
        parts.forEach(all::merge);
        return all;
    }

    /** Rows evenly apart in the input: no randomness, and an input sorted by class gives one of each. */
    private static NumberTable firstCentres(NumberTable table, int clusters) {
        float[] centres = new float[clusters * table.columns()];
        for (int i = 0; i < centres.length; i++) {
            int row = (int) ((long) (i / table.columns()) * table.rows() / clusters);
            centres[i] = table.value(row, i % table.columns());
        }
        return new NumberTable(centres, table.columns());
    }

    private static long checksum(NumberTable centres) {
        CRC32 crc = new CRC32();
        for (float value : centres.values()) {
            int bits = Float.floatToIntBits(value);
            for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
                crc.update(bits >>> shift);
            }
        }
        return crc.getValue();
    }
}
