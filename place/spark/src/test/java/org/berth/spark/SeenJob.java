package org.berth.spark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** A job whose tasks print what they see of the machine, and what they start sees. */
final class SeenJob {
    private SeenJob() {}

    public static void main(String[] arguments) {
        SparkConf conf = new SparkConf().setAppName("what a task sees");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            for (int round = 0; round < 2; round++) {
                spark.parallelize(List.of(1, 2), 2)
                        .map(task -> seen())
                        .collect()
                        .forEach(line -> System.out.println("seen " + line));
                System.out.println("mask "
                        + spark.parallelize(List.of(1), 1)
                                .map(task -> mask())
                                .collect()
                                .get(0));
            }
        }
        System.out.println("end");
    }

    private static String seen() throws Exception {
        ForkJoinPool pool = new ForkJoinPool();
        FutureTask<String> thread = new FutureTask<>(() -> {
            // Later JDKs have no event that is free for virtual threads.
            Thread.sleep(Runtime.version().feature() < 21 ? 0 : 50);
            return mask();
        });
        new Thread(thread).start();
        String line = "processors " + Runtime.getRuntime().availableProcessors() + ", common pool "
                + ForkJoinPool.commonPool().getParallelism() + ", new pool " + pool.getParallelism() + ", nproc "
                + output("nproc") + ", child process " + output("grep", "Cpus_allowed_list", "/proc/self/status")
                + ", new thread " + thread.get();
        pool.shutdown();
        return line;
    }

    private static String output(String... command) throws IOException {
        byte[] output = new ProcessBuilder(command).start().getInputStream().readAllBytes();
        return new String(output, StandardCharsets.UTF_8).strip();
    }

    private static String mask() throws IOException {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElse("");
    }
}
