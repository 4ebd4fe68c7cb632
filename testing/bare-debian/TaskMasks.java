import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** A user's application: it prints the distinct lists of CPUs that the kernel allows the threads of its tasks. */
public final class TaskMasks {
    private TaskMasks() {}

    public static void main(String[] arguments) {
        List<Integer> numbers = new ArrayList<>();
        for (int number = 0; number < 40; number++) {
            numbers.add(number);
        }
        try (JavaSparkContext context = new JavaSparkContext(new SparkConf().setAppName("task masks"))) {
            context.parallelize(numbers, 40)
                    .map(number -> {
                        // Tasks that end at once would all be run by one thread.
                        Thread.sleep(100);
                        for (String line : Files.readAllLines(Path.of("/proc/thread-self/status"))) {
                            if (line.startsWith("Cpus_allowed_list:")) {
                                return line.substring(line.indexOf(':') + 1).strip();
                            }
                        }
                        throw new IllegalStateException("no mask in /proc/thread-self/status");
                    })
                    .distinct()
                    .collect()
                    .forEach(mask -> System.out.println("task mask " + mask));
        }
    }
}
