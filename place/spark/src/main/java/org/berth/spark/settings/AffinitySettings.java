package org.berth.spark.settings;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.spark.conf.SparkKeys;

/**
 * What the configuration asks for, and how large the executor is.
 *
 * @param level empty for {@code auto}
 * @param planFile path of a plan; empty without
 * @param executorCpus CPUs that Spark counts for the executor's tasks; 0 when that is not known
 * @param taskCpus what Spark counts for a task without a resource profile of its own, as {@link CpuAmount} has it
 * @param local whether the executor is a part of the driver's own JVM
 */
public record AffinitySettings(
        Optional<OrderedLevel> level, String planFile, int executorCpus, long taskCpus, boolean local) {
    /**
     * Spark setting: {@code true} leaves tasks to the kernel until the JIT compilers are quiet, at the levels core and pu;
     * {@code false} binds them from the first one; {@code auto}, the default, waits in executors of 2 to 8 CPUs whose slots
     * come neither from a plan nor from Spark's resource scheduling.
     */
    public static final String WARM_UP = "spark.berth.warmup";

    /**
     * Spark setting: at the levels core and pu, tasks run on all CPUs of the executor while they take fewer milliseconds than
     * this on average; 0 binds every task. Default: 1.
     */
    public static final String MIN_TASK_MILLIS = "spark.berth.minTaskMillis";

    private static final String TASK_CPUS = "spark.task.cpus";
    private static final Pattern LOCAL = Pattern.compile("local(?:\\[\\s*(\\d+|\\*)\\s*(?:,.*)?])?");
    private static final Pattern CORES = Pattern.compile(" --cores (\\d{1,6})(?: |$)");

    /**
     * Reads the settings.
     *
     * @param command the command line of this JVM, by which every cluster manager tells an executor its cores
     * @throws RuntimeException one line, when a value is not valid
     */
    public static AffinitySettings of(SparkConf conf, String command) {
        String level = conf.get(SparkKeys.LEVEL, SparkKeys.AUTO).strip();
        Matcher local = LOCAL.matcher(conf.get("spark.master", "").strip());
        boolean isLocal = local.matches();
        return new AffinitySettings(
                level.equals(SparkKeys.AUTO) ? Optional.empty() : Optional.of(parse(level)),
                conf.get(SparkKeys.PLAN, ""),
                isLocal ? localCpus(local.group(1)) : clusterCpus(conf, command),
                CpuAmount.parse(TASK_CPUS, conf.get(TASK_CPUS, "1")),
                isLocal);
    }

    /** The same with another level. */
    public AffinitySettings withLevel(AffinityLevel other) {
        return new AffinitySettings(Optional.of(OrderedLevel.of(other)), "", 0, CpuAmount.ONE, local);
    }

    private static OrderedLevel parse(String level) {
        try {
            return OrderedLevel.parse(level);
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    SparkKeys.LEVEL + "=" + level + " is not one of auto, none, numa, package, l3, core, pu", e);
        }
    }

    private static int localCpus(String threads) {
        return threads == null ? 1 : threads.equals("*") ? 0 : Integer.parseInt(threads);
    }

    /** The command line counts: without {@code spark.executor.cores} a standalone worker gives an executor all its cores. */
    private static int clusterCpus(SparkConf conf, String command) {
        Matcher told = CORES.matcher(command);
        return told.find() ? Integer.parseInt(told.group(1)) : Math.max(0, conf.getInt("spark.executor.cores", 0));
    }
}
