package org.berth.experiments;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Commands for {@code sh -c} around each run, warm-ups included: for work that can run only once in a folder, or needs a server. They
 * are outside the measured time and are not bound. Immutable.
 *
 * @param prepare before each run; when it fails, the experiment ends
 * @param cleanup after each run that was prepared, however it ended, and after a preparation that was interrupted
 */
public record RunHooks(Optional<String> prepare, Optional<String> cleanup) {
    /** Nothing around a run. */
    public static final RunHooks NONE = new RunHooks(Optional.empty(), Optional.empty());

    /** The name of the arm. */
    private static final String ARM = "BERTH_ARM";

    /** 0 for a warm-up. */
    private static final String ROUND = "BERTH_ROUND";

    /**
     * The variables that a command around a run gets: those of the arm, without options of JVMs, which would bind the JVM of a hook like
     * that of the run, or write its collector's log.
     */
    public static Map<String, String> environment(ScheduledRun run, Arm arm) {
        Map<String, String> variables = new TreeMap<>(arm.environment());
        variables.keySet().removeIf(name -> name.endsWith("TOOL_OPTIONS") || name.endsWith("JAVA_OPTIONS"));
        variables.put(ARM, arm.name());
        variables.put(ROUND, Integer.toString(run.round()));
        return variables;
    }
}
