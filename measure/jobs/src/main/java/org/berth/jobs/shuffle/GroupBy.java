package org.berth.jobs.shuffle;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import org.berth.jobs.SparkStart;
import org.berth.jobs.SplitMix;
import picocli.CommandLine.Command;
import scala.Tuple2;

/**
 * Groups records by key on Spark's RDDs, about a hundred a group: every record goes through the shuffle (nothing is
 * summed up before it) and into a hash table of lists. A job to compare placements with.
 */
public final class GroupBy {
    private static final int GROUP_RECORDS = 100;

    @Command(name = "GroupBy", description = "Groups generated records on Spark, to compare placements with.")
    private static final class GroupByOptions extends ShuffleOptions {}

    private GroupBy() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        SparkStart.run(
                "groupby",
                new GroupByOptions(),
                arguments,
                ShuffleRecords::checkMemory,
                options -> ShuffleJob.run("groupby", options, keys(options), GroupBy::group));
    }

    /** How many different keys the records have. */
    static long keys(ShuffleOptions options) {
        return options.records() / GROUP_RECORDS;
    }

    static List<ShuffleSummary> group(JavaPairRDD<Long, byte[]> records, int slices) {
        return records.groupByKey(slices)
                .mapPartitions(groups -> List.of(sum(groups)).iterator())
                .collect();
    }

    /** Groups have no order, nor have the records of one: all is summed, and the hash of ordered keys left out. */
    private static ShuffleSummary sum(Iterator<Tuple2<Long, Iterable<byte[]>>> groups) {
        ShuffleSummary summary = ShuffleSummary.EMPTY;
        while (groups.hasNext()) {
            Tuple2<Long, Iterable<byte[]>> group = groups.next();
            long records = 0;
            long sum = 0;
            for (byte[] value : group._2()) {
                records++;
                sum += ShuffleRecords.hash(group._1(), value);
            }
            summary = summary.add(0, SplitMix.mix(sum ^ SplitMix.mix(records)));
        }
        return summary.withTaskMetrics();
    }
}
