package org.berth.spark.ui;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * A Spark application with a web UI: as many tasks as the first argument says wait for the file in the second. Says where
 * the UI is, and ends when its standard input does.
 */
final class UiSubject {
    private UiSubject() {}

    public static void main(String[] arguments) throws Exception {
        int tasks = Integer.parseInt(arguments[0]);
        String gate = arguments[1]; // a Path does not travel
        SparkConf conf = new SparkConf()
                .setAppName("seen")
                .set("spark.ui.port", "0")
                .set("spark.ui.showConsoleProgress", "false")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.driver.host", "127.0.0.1");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            System.out.println(
                    "ui " + (spark.sc().ui().isDefined() ? spark.sc().ui().get().webUrl() : "none"));
            long sum = spark.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
                    .map(number -> work(number, gate))
                    .reduce(Integer::sum);
            System.out.println("result " + sum);
            System.in.read();
        }
        System.out.println("stopped");
    }

    private static int work(int number, String gate) throws Exception {
        while (!Files.exists(Path.of(gate))) {
            Thread.sleep(5);
        }
        return number + 1;
    }
}
