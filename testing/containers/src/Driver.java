import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.master.Master;

/**
 * A driver for executors that others start: it waits for them, and then runs tasks on all of them until the file is gone. The
 * executors' kernels are asked from outside; each round says here which executors have run tasks.
 */
public final class Driver {
    private Driver() {}

    /** The host and the port of a master without workers, the number of executors, and the file. */
    public static void main(String[] arguments) throws Exception {
        SparkConf conf = new SparkConf(true);
        Master.startRpcEnvAndEndpoint(arguments[0], Integer.parseInt(arguments[1]), 0, conf);
        conf.setMaster("spark://" + arguments[0] + ":" + arguments[1]).setAppName("containers");
        int executors = Integer.parseInt(arguments[2]);
        Path file = Path.of(arguments[3]);
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
            // The driver is in the list, too.
            while (Files.exists(file) && context.sc().statusTracker().getExecutorInfos().length <= executors) {
                Thread.sleep(100);
            }
            while (Files.exists(file)) {
                List<String> ran = context
                        .parallelize(Collections.nCopies(8 * executors, 1), 8 * executors)
                        .map(one -> {
                            Thread.sleep(100);
                            return SparkEnv.get().executorId();
                        })
                        .distinct()
                        .collect();
                System.out.println("ran on " + String.join(" ", ran.stream().sorted().toList()));
            }
        }
    }
}
