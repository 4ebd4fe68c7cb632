package org.berth.jobs.shuffle;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import org.berth.jobkit.JobException;
import org.berth.jobs.SparkStart;
import picocli.CommandLine.Command;
import scala.Tuple2;

/**
 * Sorts records by key on Spark's RDDs: every record goes through the shuffle into the range it belongs to, and each
 * range is sorted. A job to compare placements with.
 */
public final class SortBy {
    @Command(name = "SortBy", description = "Sorts generated records on Spark, to compare placements with.")
    private static final class SortByOptions extends ShuffleOptions {}

    private SortBy() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        SparkStart.run(
                "sortby",
                new SortByOptions(),
                arguments,
                ShuffleRecords::checkMemory,
                options -> ShuffleJob.run("sortby", options, 0, SortBy::sort));
    }

    static List<ShuffleSummary> sort(JavaPairRDD<Long, byte[]> records, int slices) {
        return records.sortByKey(true, slices)
                .mapPartitions(range -> List.of(sum(range)).iterator())
                .collect();
    }

    private static ShuffleSummary sum(Iterator<Tuple2<Long, byte[]>> range) {
        ShuffleSummary summary = ShuffleSummary.EMPTY;
        long before = Long.MIN_VALUE;
        while (range.hasNext()) {
            Tuple2<Long, byte[]> next = range.next();
            if (next._1() < before) {
                throw JobException.failure("Spark's sort put " + next._1() + " after " + before);
            }
            before = next._1();
            summary = summary.add(before, ShuffleRecords.hash(before, next._2()));
        }
        return summary.withTaskMetrics();
    }
}
