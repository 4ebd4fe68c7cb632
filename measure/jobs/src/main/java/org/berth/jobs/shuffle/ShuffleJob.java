package org.berth.jobs.shuffle;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.berth.jobkit.JobException;
import org.berth.jobkit.JobMain;
import org.berth.jobs.SparkStart;

/** The frame of {@link SortBy} and {@link GroupBy}: the same records, shuffled again in every iteration. */
final class ShuffleJob {
    /** Shuffles all records anew and sums up each partition, in the order of the partitions. */
    interface Shuffle {
        List<ShuffleSummary> run(JavaPairRDD<Long, byte[]> records, int slices);
    }

    private ShuffleJob() {}

    static void run(String name, ShuffleOptions options, long keys, Shuffle shuffle) {
        ShuffleRecords.checkMemory(options);
        SparkConf conf = SparkStart.withoutCleaner(name, options.threads());
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            JavaPairRDD<Long, byte[]> records = ShuffleRecords.load(spark, options, keys);
            String result = "";
            long start = System.nanoTime();
            for (int i = 1; i <= options.iterations(); i++) {
                long iteration = System.nanoTime();
                ShuffleSummary all = ShuffleSummary.concatenate(shuffle.run(records, options.slices()));
                all.print(i, System.nanoTime() - iteration);
                if (i > 1 && !result.equals(all.result())) {
                    throw JobException.failure("iteration " + i + " computed " + all.result() + ", earlier ones "
                            + result + ": the memory, the JVM or Spark is faulty");
                }
                result = all.result();
            }
            JobMain.printResult(JobMain.seconds(System.nanoTime() - start), result);
        }
    }
}
