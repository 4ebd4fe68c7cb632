package org.berth.shipped;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** A user's application: it prints what its tasks see, before and after a shuffle. */
public final class SparkProgram {
    private SparkProgram() {}

    public static void main(String[] arguments) {
        List<Integer> numbers = IntStream.range(0, 16).boxed().toList();
        try (JavaSparkContext context = new JavaSparkContext(new SparkConf().setAppName("shipped"))) {
            JavaPairRDD<String, String> maps =
                    context.parallelize(numbers, 8).mapToPair(number -> new Tuple2<>("map " + seen(), number % 2 + ""));
            maps.repartition(4)
                    .map(map -> map._1() + ", reduce " + seen())
                    .distinct()
                    .collect()
                    .forEach(System.out::println);
        }
    }

    private static String seen() throws Exception {
        // Tasks that end at once would all be run by one thread.
        Thread.sleep(50);
        return SeenHere.mask() + " " + (SeenHere.hasBerth() ? "installed" : "shipped");
    }
}
