package org.berth.spark.threads;

import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.CollectionAccumulator;
import org.berth.oracle.ProcStatus;
import scala.Tuple2;

/**
 * A Spark job whose executors send each other blocks, round after round, until its standard input ends. It then tells where
 * its tasks were, as each of them read of itself in /proc: from outside, a thread of Spark's pool looks like one that runs a
 * task before the plugin is told.
 */
final class SmallShuffle {
    private SmallShuffle() {}

    public static void main(String[] arguments) throws Exception {
        SparkConf conf = new SparkConf()
                .setAppName("shuffle")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.driver.host", "127.0.0.1");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            CollectionAccumulator<String> masks = spark.sc().collectionAccumulator("masks");
            while (System.in.available() == 0) {
                long groups = spark.parallelize(IntStream.range(0, 1000).boxed().toList(), 4)
                        .mapToPair(number -> {
                            if (number % 250 == 0) {
                                masks.add(ProcStatus.callingThread().cpus());
                            }
                            return new Tuple2<>(number % 10, number);
                        })
                        .groupByKey(4)
                        .count();
                System.out.println("groups " + groups);
            }
            System.out.println("tasks on " + new TreeSet<>(masks.value()));
        }
        System.out.println("stopped");
    }
}
