package org.berth.spark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.berth.oracle.ProcStatus;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/**
 * A driver that does what its standard input says, line by line. Each task makes a file NAME-PARTITION-ATTEMPT-PID-TID when
 * it runs, and ends when the file NAME is there.
 */
final class ClusterJob {
    private ClusterJob() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        SparkConf conf = new SparkConf().setAppName("cluster").set("spark.ui.enabled", "false");
        try (JavaSparkContext spark = new JavaSparkContext(conf);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", -1);
                System.out.println(words[0] + " " + words[1] + " " + run(spark, folder, words[0], words[1]));
            }
        }
        System.out.println("stopped");
    }

    private static String run(JavaSparkContext spark, Path folder, String command, String name) {
        String home = folder.toString();
        JavaRDD<Integer> two = spark.parallelize(IntStream.range(0, 2).boxed().toList(), 2);
        return switch (command) {
            case "round" ->
                two.map(number -> work(home, name, number)).collect().toString();
            case "barrier" ->
                new JavaRDD<>(
                                two.rdd()
                                        .barrier()
                                        .mapPartitions(
                                                new BarrierWork(home, name),
                                                false,
                                                ClassTag$.MODULE$.apply(Integer.class)),
                                ClassTag$.MODULE$.apply(Integer.class))
                        .collect()
                        .toString();
            case "speculate" ->
                two.map(number -> {
                            boolean original = TaskContext.get().attemptNumber() == 0;
                            return original && number == 1 ? work(home, name + "-never", number) : number + 1;
                        })
                        .collect()
                        .toString();
            case "shuffle" -> shuffle(spark).toString();
            default -> throw new IllegalArgumentException(command);
        };
    }

    private static List<Tuple2<Integer, Integer>> shuffle(JavaSparkContext spark) {
        Map<Integer, Integer> sums = spark.parallelize(
                        IntStream.range(0, 1000).boxed().toList(), 4)
                .mapToPair(number -> new Tuple2<>(number % 3, number))
                .reduceByKey(Integer::sum, 3)
                .collectAsMap();
        List<Tuple2<Integer, Integer>> sorted = new ArrayList<>();
        sums.forEach((key, sum) -> sorted.add(new Tuple2<>(key, sum)));
        sorted.sort((a, b) -> a._1() - b._1());
        return sorted;
    }

    static int work(String folder, String name, int number) throws IOException, InterruptedException {
        TaskContext task = TaskContext.get();
        String file = name + "-" + task.partitionId() + "-" + task.attemptNumber() + "-"
                + ProcessHandle.current().pid() + "-"
                + ProcStatus.callingThread().tid();
        Files.createFile(Path.of(folder, file));
        while (!Files.exists(Path.of(folder, name))) {
            Thread.sleep(10);
        }
        return number + 1;
    }

    /** Spark has no barrier stages in its Java API. */
    private static final class BarrierWork extends AbstractFunction1<Iterator<Integer>, Iterator<Integer>>
            implements Serializable {
        private final String folder;
        private final String name;

        BarrierWork(String folder, String name) {
            this.folder = folder;
            this.name = name;
        }

        @Override
        public Iterator<Integer> apply(Iterator<Integer> numbers) {
            try {
                BarrierTaskContext.get().barrier();
                List<Integer> done = new ArrayList<>();
                while (numbers.hasNext()) {
                    done.add(work(folder, name, numbers.next()));
                }
                return CollectionConverters.asScala(done.iterator());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
