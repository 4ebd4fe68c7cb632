package org.berth.experiments;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.berth.observation.internal.process.CallerEnvironment;

/**
 * What happens around each run, the same for all arms. Immutable; the {@code with...} methods give a changed copy.
 *
 * @param coolDown pause before each run except the first, in which the machine becomes idle
 * @param dropCaches whether the kernel forgets cached files before each run, which only root may ask for
 * @param usageRecorder the program {@code berth-exec}, which then stands above the command and writes what it took; without it
 *     CPU time, memory and faults are not known
 * @param gcLog whether JVMs write a log of their collector, by JAVA_TOOL_OPTIONS, which a JVM reports in its output
 * @param hooks commands before and after each run
 */
public record Conditions(
        Duration coolDown, boolean dropCaches, Optional<Path> usageRecorder, boolean gcLog, RunHooks hooks) {
    /** No pause, warm caches, nothing measured beyond what can be seen from outside. */
    public static final Conditions PLAIN = new Conditions(Duration.ZERO, false, Optional.empty(), false, RunHooks.NONE);

    /** Requires a pause that is not negative. */
    public Conditions {
        if (coolDown.isNegative()) {
            throw new IllegalArgumentException("the cool-down must not be negative, but is " + coolDown);
        }
    }

    /**
     * The variables that a run of the arm gets: its own, and what the conditions add to them and to those of this process.
     *
     * @param gcStem the collector's log of a JVM is this path with "-PID.gc" behind
     */
    public Map<String, String> environment(Arm arm, Path gcStem) {
        Map<String, String> variables = new HashMap<>(arm.environment());
        new GcLogs(gcLog, gcStem).addTo(variables, CallerEnvironment.variables());
        return variables;
    }

    /** Pause before each run but the first. */
    public Conditions withCoolDown(Duration newCoolDown) {
        return new Conditions(newCoolDown, dropCaches, usageRecorder, gcLog, hooks);
    }

    /** Whether cached files are forgotten before each run. */
    public Conditions withDropCaches(boolean newDropCaches) {
        return new Conditions(coolDown, newDropCaches, usageRecorder, gcLog, hooks);
    }

    /** The program {@code berth-exec}. */
    public Conditions withUsageRecorder(Path newRecorder) {
        return new Conditions(coolDown, dropCaches, Optional.of(newRecorder), gcLog, hooks);
    }

    /** Whether JVMs log their collector. */
    public Conditions withGcLog(boolean newGcLog) {
        return new Conditions(coolDown, dropCaches, usageRecorder, newGcLog, hooks);
    }

    /** Commands before and after each run. */
    public Conditions withHooks(RunHooks newHooks) {
        return new Conditions(coolDown, dropCaches, usageRecorder, gcLog, newHooks);
    }
}
