package org.berth.spark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.berth.oracle.ProcStatus;

/**
 * A Spark job that a test can inspect while it runs: each task reports its thread and waits for a file. The first
 * attempt of the tasks in the first argument fails after that. A round whose file is {@link #STREAM} runs tasks that do
 * nothing until the file is there; in one whose file is {@link #WORK} the first of two tasks works instead of waiting. When the job has ended it waits for its standard input.
 */
final class WaitingJob {
    static final String STREAM = "stream";
    static final String WORK = "work";
    private static final int STREAM_TASKS = 400;

    private WaitingJob() {}

    public static void main(String[] arguments) throws Exception {
        int failing = Integer.parseInt(arguments[0]);
        String[] rounds = arguments[1].split(",", -1);
        SparkConf conf = new SparkConf()
                .setAppName("waiting")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.driver.host", "127.0.0.1");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            int sum = 0;
            for (String round : rounds) {
                if (round.endsWith(STREAM)) {
                    stream(spark, Path.of(round));
                    continue;
                }
                sum += spark.parallelize(IntStream.range(0, 2).boxed().toList(), 2)
                        .map(number -> work(number, failing, Path.of(round)))
                        .reduce(Integer::sum);
            }
            System.out.println("result " + sum);
            System.in.read();
        }
        System.out.println("stopped");
    }

    private static void stream(JavaSparkContext spark, Path gate) {
        while (!Files.exists(gate)) {
            spark.parallelize(IntStream.range(0, STREAM_TASKS).boxed().toList(), STREAM_TASKS)
                    .reduce(Integer::sum);
        }
    }

    private static int work(int number, int failing, Path gate) throws Exception {
        int attempt = TaskContext.get().attemptNumber();
        if (attempt == 0 && number < failing) {
            throw new IllegalStateException("meant to fail");
        }
        System.out.println(
                "running " + number + " in " + ProcStatus.callingThread().tid());
        while (!Files.exists(gate)) {
            if (number > 0 || !gate.endsWith(WORK)) {
                Thread.sleep(2);
            }
        }
        return number + 1;
    }
}
