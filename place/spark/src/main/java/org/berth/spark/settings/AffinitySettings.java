package org.berth.spark.settings;

import java.util.List;
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
 * @param guarded whether slots may be widened
 */
public record AffinitySettings(
        Optional<OrderedLevel> level,
        String planFile,
        int executorCpus,
        long taskCpus,
        boolean local,
        boolean guarded) {
    /**
     * Spark setting: {@code on}, the default, lets tasks use more CPUs than their slots while slots cost more than they gain;
     * {@code off} keeps them there.
     */
    public static final String GUARD = "spark.berth.guard";

    /** Settings of former versions whose work the guard does; they are accepted, and nothing follows from them. */
    public static final List<String> REPLACED = List.of("spark.berth.warmup", "spark.berth.minTaskMillis");

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
                isLocal,
                guarded(conf.get(GUARD, "on").strip()));
    }

    private static boolean guarded(String word) {
        if (!word.equals("on") && !word.equals("off")) {
            throw new IllegalStateException(GUARD + "=" + word + " is not one of on, off");
        }
        return word.equals("on");
    }

    /** The same with another level. */
    public AffinitySettings withLevel(AffinityLevel other) {
        return new AffinitySettings(Optional.of(OrderedLevel.of(other)), "", 0, CpuAmount.ONE, local, guarded);
    }

    /**
     * Whether the first task is bound, too. The process of a local application is never bound, so nothing is lost while the JIT
     * compilers need the CPUs; an executor has its domain before it touches its memory.
     */
    public boolean bindsAtOnce() {
        return !local || !guarded || !planFile.isEmpty();
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
