import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * An application of Spark whose best shape is known: its tasks wait under a lock of their JVM, as those do that share a
 * connection or a cache. Two executors of one task take half of the time of one executor of two.
 */
public final class LockedTasks {
    private static final int TASKS = 16;
    private static final long MILLIS = 400;

    private LockedTasks() {}

    public static void main(String[] args) {
        SparkConf conf = new SparkConf()
                .setAppName("locked tasks")
                .set("spark.ui.enabled", "false")
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .set("spark.scheduler.minRegisteredResourcesRatio", "1")
                .set("spark.locality.wait", "0");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            // Executors load classes in a first wave, which does not count.
            run(spark, 1);
            long start = System.nanoTime();
            long executors = run(spark, MILLIS);
            System.out.printf(
                    Locale.ROOT, "took %.3f s on %d executors%n", (System.nanoTime() - start) / 1e9, executors);
        }
    }

    private static long run(JavaSparkContext spark, long millis) {
        return spark.parallelize(IntStream.range(0, TASKS).boxed().toList(), TASKS)
                .map(task -> hold(millis))
                .distinct()
                .count();
    }

    private static String hold(long millis) throws InterruptedException {
        synchronized (LockedTasks.class) {
            Thread.sleep(millis);
        }
        return SparkEnv.get().executorId();
    }
}
