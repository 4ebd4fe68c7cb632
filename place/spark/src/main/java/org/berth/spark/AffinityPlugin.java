package org.berth.spark;

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Binds executors to domains of their hosts and running tasks to slots, by configuration alone:
 *
 * <pre>{@code
 * spark.plugins=org.berth.spark.AffinityPlugin
 * spark.berth.level=auto                  (or none, numa, package, l3, core, pu)
 * }</pre>
 *
 * <p>An executor leases the domain of its host that the fewest others use, binds its whole JVM to it, and binds the thread
 * of each task to a free core, PU or node inside, from the task's start to its end. When all slots are taken, tasks share
 * the least used ones. The plugin follows a cpuset that changes. When the executor stops, threads get their former masks
 * back.
 *
 * <p>It never fails a job: a failure is one warning in the log, and the tasks run unbound.
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
