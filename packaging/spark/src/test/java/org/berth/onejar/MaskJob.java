package org.berth.onejar;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** A user's application: it prints the CPUs that the kernel allows the threads of its tasks, before and after a shuffle. */
public final class MaskJob {
    private MaskJob() {}

    public static void main(String[] arguments) {
        List<Integer> numbers = IntStream.range(0, 16).boxed().toList();
        try (JavaSparkContext context = new JavaSparkContext(new SparkConf().setAppName("masks"))) {
            JavaPairRDD<String, String> maps =
                    context.parallelize(numbers, 8).mapToPair(number -> new Tuple2<>("map " + mask(), number % 2 + ""));
            maps.repartition(4)
                    .map(map -> map._1() + ", reduce " + mask())
                    .distinct()
                    .collect()
                    .forEach(System.out::println);
        }
    }

    private static String mask() throws IOException, InterruptedException {
        // Tasks that end at once would all be run by one thread.
        Thread.sleep(50);
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElseThrow()
                .replaceAll(".*:\\s*", "");
    }
}
