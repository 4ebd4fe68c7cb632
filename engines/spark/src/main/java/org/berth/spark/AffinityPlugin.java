package org.berth.spark;

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Gives every running Spark task a place of its own, by configuration alone:
 *
 * <pre>{@code
 * spark.plugins=org.berth.spark.AffinityPlugin
 * spark.berth.plan=/path/of/a/plan        (written by: berth plan --text)
 * }</pre>
 *
 * <p>The thread of a task is bound to a free slot of the plan with role {@code task} when the task starts, the one that
 * it is in already where that is free; it stays there until it takes a task for which only another slot is free, because
 * Spark's pool of task threads is larger than the number of tasks that run at a time. When all slots are taken, tasks
 * share the least used one. When the executor stops, the threads get back what they had.
 *
 * <p>Never fails a job: what goes wrong is one warning in the log, and the tasks run unbound.
 */
public final class AffinityPlugin implements SparkPlugin {
    /** Spark setting with the path of the plan, in the text form of {@link org.berth.placement.PlacementPlan}. */
    public static final String PLAN = "spark.berth.plan";

    @Override
    public DriverPlugin driverPlugin() {
        return new AffinityDriverPlugin();
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new AffinityExecutorPlugin();
    }
}
