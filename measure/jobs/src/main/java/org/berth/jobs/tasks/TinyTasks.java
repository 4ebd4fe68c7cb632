package org.berth.jobs.tasks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.berth.jobkit.JobException;
import org.berth.jobkit.JobMain;
import org.berth.jobs.SparkOptions;
import org.berth.jobs.SparkStart;
import org.berth.jobs.SplitMix;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs tasks on Spark that compute next to nothing, so that what remains is Spark's own work for each task and what a plugin
 * adds to it. A job to find the cost of a plugin with.
 *
 * <p>In addition to the two lines of every job it prints the CPU time of this process during the tasks, and the seconds from
 * the start of the JVM to the end of the first task.
 */
public final class TinyTasks {
    private static final int TASKS_PER_SCALE = 1000;

    @Command(name = "TinyTasks", description = "Runs empty tasks on Spark, to measure the cost of a plugin.")
    private static final class TinyTasksOptions extends SparkOptions {
        private static final int MAX_SCALE = 1000;

        @Option(
                names = "--scale",
                paramLabel = "N",
                defaultValue = "20",
                description = "Thousands of tasks in a wave (default ${DEFAULT-VALUE}).")
        private int scale;

        @Option(
                names = "--waves",
                paramLabel = "N",
                defaultValue = "2",
                description = "How often all tasks run (default ${DEFAULT-VALUE}).")
        private int waves;

        @Option(
                names = "--turns",
                paramLabel = "N",
                description =
                        "After that, N blocks of four waves with the task hooks of spark.plugins on, off, off and on, and"
                                + " the ratio of on to off; local mode only. Without a plugin both are the same.")
        private @Nullable Integer turns;

        @Override
        protected void check() {
            requireAtMost("--scale", scale, MAX_SCALE);
            if (turns != null) {
                requireAtMost("--turns", turns, MAX_SCALE);
            }
        }
    }

    private TinyTasks() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        SparkStart.run("tiny-tasks", new TinyTasksOptions(), arguments, options -> {}, TinyTasks::run);
    }

    private static void run(TinyTasksOptions options) {
        int tasks = TASKS_PER_SCALE * options.scale;
        SparkConf conf = SparkStart.withoutCleaner("tiny-tasks", options.threads());
        String plugin = conf.get("spark.plugins", "");
        if (options.turns != null && !plugin.isEmpty()) {
            requireOnePluginOfThisJvm(conf, plugin);
            SwitchedPlugin.wrap(plugin);
            conf.set("spark.plugins", SwitchedPlugin.class.getName());
        }
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            wave(spark, 1);
            long sinceStartMillis = System.currentTimeMillis()
                    - ManagementFactory.getRuntimeMXBean().getStartTime();
            long sum = 0;
            long cpuNanos = cpuNanos();
            long start = System.nanoTime();
            for (int i = 0; i < options.waves; i++) {
                sum += wave(spark, tasks);
            }
            long nanos = System.nanoTime() - start;
            double cpuSeconds = JobMain.seconds(cpuNanos() - cpuNanos);
            if (options.turns != null) {
                AlternatingBlocks turns = AlternatingBlocks.run(
                        options.turns, SwitchedPlugin::turn, () -> wave(spark, tasks), TinyTasks::cpuNanos);
                System.out.println((plugin.isEmpty() ? "no plugin" : plugin) + ", hooks on / off: " + turns.line());
            }
            print("cpu", cpuSeconds);
            print("start", sinceStartMillis / 1e3);
            JobMain.printResult(
                    JobMain.seconds(nanos),
                    String.format(Locale.ROOT, "%d tasks %016x", (long) options.waves * tasks, sum));
        }
    }

    private static void requireOnePluginOfThisJvm(SparkConf conf, String plugin) {
        if (plugin.contains(",") || !conf.get("spark.master").startsWith("local[")) {
            throw JobException.usage("--turns switches one plugin (spark.plugins=" + plugin
                    + ") in local mode (spark.master=" + conf.get("spark.master") + ")");
        }
    }

    /** Runs one stage with that many tasks, each of which hashes its own number. */
    private static long wave(JavaSparkContext spark, int tasks) {
        JavaRDD<Long> numbers =
                spark.parallelize(LongStream.range(0, tasks).boxed().toList(), tasks);
        List<Long> hashes = numbers.map(SplitMix::mix).collect();
        if (hashes.size() != tasks) {
            throw JobException.failure(tasks + " tasks gave " + hashes.size() + " results");
        }
        return hashes.stream().mapToLong(Long::longValue).sum();
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static void print(String what, double seconds) {
        System.out.printf(Locale.ROOT, "berth-%s-seconds=%.3f%n", what, seconds);
    }
}
