package org.berth.shuffle;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.executor.ShuffleReadMetrics;
import org.apache.spark.metrics.source.Source;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/** A driver that runs the job that each line of its standard input names, and prints its result. */
final class ShuffleProgram {
    static final int SORTED = 20_000;
    static final int GROUPS = 97;
    static final int BIG_BYTES = 500_000;
    static final int BIG_MAPS = 8;

    private ShuffleProgram() {}

    public static void main(String[] arguments) throws Exception {
        SparkConf conf = new SparkConf().setAppName("shuffle").set("spark.ui.enabled", "false");
        try (JavaSparkContext spark = new JavaSparkContext(conf);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            SparkMetrics metrics = new SparkMetrics();
            spark.sc().addSparkListener(metrics);
            System.out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(line + ": " + run(spark, metrics, line, arguments[0]) + ".");
            }
        }
        System.out.println("stopped");
    }

    private static Object run(JavaSparkContext spark, SparkMetrics metrics, String job, String folder)
            throws Exception {
        return switch (job.split(" ", -1)[0]) {
            case "sort" ->
                checksum(numbers(spark, SORTED, 6)
                        .mapToPair(number -> new Tuple2<>(mix(number), number))
                        .sortByKey(true, 5)
                        .map(pair -> pair._1() * 31L + pair._2())
                        .collect());
            case "group" ->
                new TreeMap<>(numbers(spark, SORTED, 6)
                                .mapToPair(number -> new Tuple2<>(number % GROUPS, number))
                                .groupByKey(5)
                                .mapValues(ShuffleProgram::sum)
                                .collectAsMap())
                        .toString();
            case "big" -> checksum(big(spark, false, folder));
            case "gated" -> checksum(big(spark, true, folder));
            case "empty" ->
                numbers(spark, 40, 40)
                        .mapToPair(number -> new Tuple2<>(number % 3, number))
                        .reduceByKey(Integer::sum, 200)
                        .sortByKey()
                        .collect();
            case "counts" -> counts(spark);
            case "metrics" -> metrics.read(spark);
            case "close" -> closeOne(spark);
            default -> throw new IllegalArgumentException(job);
        };
    }

    private static JavaRDD<Integer> numbers(JavaSparkContext spark, int count, int partitions) {
        return spark.parallelize(IntStream.range(0, count).boxed().toList(), partitions);
    }

    /** A number that says nothing about the order of its argument, and is another one for each. */
    static int mix(int number) {
        return number * 0x9E3779B1;
    }

    private static long sum(Iterable<Integer> numbers) {
        long sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    static long checksum(List<Long> values) {
        long sum = values.size();
        for (long value : values) {
            sum = sum * 1_000_003 + value;
        }
        return sum;
    }

    /** What map and reducer give each other: bytes that no codec makes smaller. */
    static byte[] bigValue(int map, int reducer) {
        byte[] bytes = new byte[BIG_BYTES];
        new Random(map * 10L + reducer).nextBytes(bytes);
        return bytes;
    }

    private static List<Long> big(JavaSparkContext spark, boolean isGated, String folder) {
        return numbers(spark, BIG_MAPS, BIG_MAPS)
                .flatMapToPair(map -> IntStream.range(0, 2)
                        .mapToObj(reducer -> new Tuple2<>(reducer, bigValue(map, reducer)))
                        .iterator())
                .partitionBy(new ByNumber())
                .mapPartitions(values -> List.of(hash(values, isGated, folder)).iterator())
                .collect();
    }

    /** Sums what each value hashes to, so that the order of the maps does not matter. */
    private static long hash(Iterator<Tuple2<Integer, byte[]>> values, boolean isGated, String folder)
            throws Exception {
        long sum = 0;
        while (values.hasNext()) {
            sum += Arrays.hashCode(values.next()._2());
            TaskContext task = TaskContext.get();
            if (isGated && task.stageAttemptNumber() == 0) {
                Path seen = Path.of(
                        folder,
                        "at-" + task.partitionId() + "-"
                                + ProcessHandle.current().pid());
                if (!Files.exists(seen)) {
                    Files.createFile(seen);
                }
                while (!Files.exists(Path.of(folder, "gate"))) {
                    Thread.sleep(10);
                }
            }
        }
        return sum;
    }

    static final class ByNumber extends org.apache.spark.Partitioner {
        @Override
        public int numPartitions() {
            return 2;
        }

        @Override
        public int getPartition(Object key) {
            return (Integer) key;
        }
    }

    /** The metrics of both executors, as Spark's metrics system has them; {@code {}} without the shuffle manager's. */
    private static Map<String, Long> counts(JavaSparkContext spark) {
        Map<String, Long> sums = new TreeMap<>();
        for (Map<String, Long> executor : countsOfBoth(spark).values()) {
            executor.forEach((name, value) -> sums.merge(name, value, Long::sum));
        }
        return sums;
    }

    private static Map<String, Long> ownCounts() {
        Map<String, Long> values = new TreeMap<>();
        for (Source source :
                CollectionConverters.asJava(SparkEnv.get().metricsSystem().getSourcesByName("berth-shuffle"))) {
            source.metricRegistry().getGauges().forEach((name, gauge) -> values.put(name, (Long) gauge.getValue()));
        }
        return values;
    }

    private static String closeOne(JavaSparkContext spark) {
        return numbers(spark, 1, 1)
                .map(number -> {
                    SparkEnv.get().shuffleManager().stop();
                    return SparkEnv.get().executorId();
                })
                .collect()
                .get(0);
    }

    /** Asks until both executors have answered: on a busy host the two tasks of a job may run one after the other on one of them. */
    private static Map<String, Map<String, Long>> countsOfBoth(JavaSparkContext spark) {
        Map<String, Map<String, Long>> counts = new TreeMap<>();
        while (counts.size() < 2) {
            numbers(spark, 2, 2)
                    .map(number -> {
                        Thread.sleep(500);
                        return new Tuple2<>(SparkEnv.get().executorId(), ownCounts());
                    })
                    .collect()
                    .forEach(executor -> counts.put(executor._1, executor._2));
        }
        return counts;
    }

    /** What Spark itself counts of tasks that have ended. */
    private static final class SparkMetrics extends SparkListener {
        private final LongAdder blocks = new LongAdder();
        private final LongAdder bytes = new LongAdder();
        private final LongAdder diskBytes = new LongAdder();

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            if (end.taskMetrics() != null) {
                ShuffleReadMetrics read = end.taskMetrics().shuffleReadMetrics();
                blocks.add(read.remoteBlocksFetched());
                bytes.add(read.remoteBytesRead());
                diskBytes.add(read.remoteBytesReadToDisk());
            }
        }

        Map<String, Long> read(JavaSparkContext spark) throws Exception {
            spark.sc().listenerBus().waitUntilEmpty();
            return new TreeMap<>(
                    Map.of("remoteBlocks", blocks.sum(), "remoteBytes", bytes.sum(), "diskBytes", diskBytes.sum()));
        }
    }
}
