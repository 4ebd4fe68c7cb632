package org.berth.jobs.shuffle;

import java.util.Locale;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.berth.jobkit.JobException;
import org.berth.jobkit.JobMain;
import org.berth.jobkit.WayArm;
import org.berth.jobkit.WayArmConverter;
import org.berth.jobs.SparkStart;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@link SortBy} and {@link GroupBy} on two executors of this host that fetch from each other over the network: a job to compare
 * ways of shuffle blocks with. The first iteration of each is not measured.
 */
public final class ShuffleWays {
    @Command(
            name = "ShuffleWays",
            description = "SortBy and GroupBy on two Spark executors, to compare the ways in which shuffle blocks"
                    + " travel.")
    private static final class WayOptions extends ShuffleOptions {
        @Option(
                names = "--way",
                paramLabel = "WAY",
                defaultValue = "stock",
                converter = WayArmConverter.class,
                description = "How shuffle blocks travel: " + WayArm.WORDS
                        + ". +KEY=VALUE extends a word by spark.berth.shuffle.KEY=VALUE (default ${DEFAULT-VALUE}).")
        private WayArm way = WayArm.parse("stock");

        @Option(
                names = "--executors",
                paramLabel = "N",
                defaultValue = "2",
                description = "Executors, each with one task at a time (default ${DEFAULT-VALUE}).")
        private int executors;

        @Override
        protected void check() {
            requireAtMost("--executors", executors, 100);
            if (executors < 2) {
                throw JobException.usage("--executors " + executors + ": give at least 2, which fetch from each other");
            }
        }
    }

    private ShuffleWays() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        SparkStart.run("shuffle", new WayOptions(), arguments, ShuffleRecords::checkMemory, ShuffleWays::run);
    }

    private static void run(WayOptions options) {
        ShuffleRecords.checkMemory(options);
        if (System.getenv("SPARK_HOME") == null) {
            throw JobException.usage("executors need SPARK_HOME, a folder with a folder jars; start the job by"
                    + " 'berth bench shuffle'");
        }
        SparkConf conf = ShuffleWay.configure(
                SparkStart.withoutCleaner("shuffle", options.threads()), options.way, options.executors);
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            FetchWaits waits = new FetchWaits();
            spark.sc().addSparkListener(waits);
            Measured sorted =
                    measure("sortby", options, spark, waits, ShuffleRecords.load(spark, options, 0), SortBy::sort);
            JavaPairRDD<Long, byte[]> groups = ShuffleRecords.load(spark, options, GroupBy.keys(options));
            Measured grouped = measure("groupby", options, spark, waits, groups, GroupBy::group);
            ShuffleWay.require(spark, options.way, options.executors);
            JobMain.printResult(sorted.seconds + grouped.seconds, sorted.result + ", " + grouped.result);
        }
    }

    private record Measured(double seconds, String result) {}

    private static Measured measure(
            String name,
            WayOptions options,
            JavaSparkContext spark,
            FetchWaits waits,
            JavaPairRDD<Long, byte[]> records,
            ShuffleJob.Shuffle shuffle) {
        String result = ShuffleSummary.concatenate(shuffle.run(records, options.slices()))
                .result();
        waits.take(spark.sc());
        long start = System.nanoTime();
        for (int i = 1; i <= options.iterations(); i++) {
            long iteration = System.nanoTime();
            ShuffleSummary all = ShuffleSummary.concatenate(shuffle.run(records, options.slices()));
            all.print(i, System.nanoTime() - iteration);
            if (!result.equals(all.result())) {
                throw JobException.failure("iteration " + i + " computed " + all.result() + ", earlier ones " + result
                        + ": the shuffle, the memory or Spark is faulty");
            }
        }
        double own = JobMain.seconds(System.nanoTime() - start);
        FetchWaits.Sum fetched = waits.take(spark.sc());
        if (fetched.remoteBytes() == 0) {
            throw JobException.failure("no executor fetched anything from another one");
        }
        records.unpersist();
        System.out.printf(Locale.ROOT, "berth-%s-seconds=%.3f%n", name, own);
        System.out.printf(Locale.ROOT, "berth-%s-fetch-wait-seconds=%.3f%n", name, fetched.waitSeconds());
        System.out.printf(Locale.ROOT, "berth-%s-fetched-megabytes=%.1f%n", name, fetched.remoteBytes() / 1e6);
        return new Measured(own, result);
    }
}
