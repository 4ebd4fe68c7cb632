package org.berth.spark;

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Gives executors and running Spark tasks places of their own, by configuration alone:
 *
 * <pre>{@code
 * spark.plugins=org.berth.spark.AffinityPlugin
 * spark.berth.level=auto                  (or none, numa, cpu, core, pu)
 * }</pre>
 *
 * <p>An executor claims a part of its host that is used least by others, binds its whole JVM to it, and binds the thread
 * of each task to a free core, PU or node inside, from the task's start to its end. When all are taken, tasks share the
 * least used ones. A cpuset that is rewritten is followed. When the executor stops, the threads get back what they had.
 *
 * <p>Never fails a job: what goes wrong is one warning in the log, and the tasks run unbound.
 */
public final class AffinityPlugin implements SparkPlugin {
    /** Spark setting: how tightly to bind; {@code auto}, the default, binds only where distances cost something. */
    public static final String LEVEL = "spark.berth.level";

    /**
     * Spark setting with the path of a plan, in the text form of {@link org.berth.placement.PlacementPlan}, whose slots
     * the tasks take instead of those of a level.
     */
    public static final String PLAN = "spark.berth.plan";

    /**
     * Spark setting: {@code true} leaves tasks to the kernel until the JIT compilers are quiet, at the levels core and pu;
     * {@code false} binds them from the first one; {@code auto}, the default, waits in executors of 2 to 8 CPUs whose places
     * are neither those of a plan nor given by Spark's resource scheduling.
     */
    public static final String WARM_UP = "spark.berth.warmup";

    @Override
    public DriverPlugin driverPlugin() {
        return new AffinityDriverPlugin();
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new AffinityExecutorPlugin();
    }
}
