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
    @Override
    public DriverPlugin driverPlugin() {
        return new AffinityDriverPlugin();
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new AffinityExecutorPlugin();
    }
}
