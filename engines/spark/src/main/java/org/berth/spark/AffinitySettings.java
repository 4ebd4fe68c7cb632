package org.berth.spark;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.berth.placement.AffinityLevel;

/**
 * What the configuration says, and how large the executor is.
 *
 * @param level empty for {@code auto}
 * @param planFile path of a plan; empty without
 * @param executorCpus CPUs that Spark counts for the executor's tasks; 0 when it does not say
 * @param taskCpus CPUs that Spark counts for a task, unless the task says otherwise
 * @param local whether the executor is a part of the driver's own JVM
 */
record AffinitySettings(Optional<AffinityLevel> level, String planFile, int executorCpus, int taskCpus, boolean local) {
    private static final String AUTO = "auto";
    private static final Pattern LOCAL = Pattern.compile("local(?:\\[\\s*(\\d+|\\*)\\s*(?:,.*)?])?");
    private static final Pattern CORES = Pattern.compile(" --cores (\\d{1,6})(?: |$)");

    /**
     * Reads the settings.
     *
     * @param command the command line of this JVM, in which every cluster manager tells an executor its cores
     * @throws RuntimeException one line, when a setting is not understood
     */
    static AffinitySettings of(SparkConf conf, String command) {
        String level = conf.get(AffinityPlugin.LEVEL, AUTO).strip();
        Matcher local = LOCAL.matcher(conf.get("spark.master", "").strip());
        boolean isLocal = local.matches();
        return new AffinitySettings(
                level.equalsIgnoreCase(AUTO) ? Optional.empty() : Optional.of(parse(level)),
                conf.get(AffinityPlugin.PLAN, ""),
                isLocal ? localCpus(local.group(1)) : clusterCpus(conf, command),
                Math.max(1, conf.getInt("spark.task.cpus", 1)),
                isLocal);
    }

    private static AffinityLevel parse(String level) {
        try {
            return AffinityLevel.parse(level);
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    AffinityPlugin.LEVEL + "=" + level + " is none of auto, none, numa, cpu, core, pu", e);
        }
    }

    private static int localCpus(String threads) {
        return threads == null ? 1 : threads.equals("*") ? 0 : Integer.parseInt(threads);
    }

    /** Without {@code spark.executor.cores} a standalone worker gives all that it has, so the command line comes first. */
    private static int clusterCpus(SparkConf conf, String command) {
        Matcher told = CORES.matcher(command);
        return told.find() ? Integer.parseInt(told.group(1)) : Math.max(0, conf.getInt("spark.executor.cores", 0));
    }
}
