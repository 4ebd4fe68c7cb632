package org.berth.spark.status;

import com.codahale.metrics.Gauge;
import java.util.function.Supplier;
import org.apache.spark.api.plugin.PluginContext;
import org.berth.spark.status.ExecutorStatus.Counters;

/**
 * The counters as gauges of Spark's metrics system: of each executor
 * {@code <application>.<executor>.plugin.org.berth.spark.AffinityPlugin.migrations} and so on, of the driver the sums over
 * all executors, {@code total.migrations}. What is not known is -1.
 */
public final class StatusMetrics {
    /** SparkContext.DRIVER_IDENTIFIER, which is not public. */
    private static final String DRIVER = "driver";

    private StatusMetrics() {}

    /**
     * Must be called in the plugin's {@code init}: Spark looks at the registry right after it, and only then. In local mode
     * the executor is the driver, whose sums say the same, and Spark would warn that it has no name for the metrics yet.
     */
    public static void registerExecutor(PluginContext context, StatusBuilder status) {
        if (!DRIVER.equals(context.executorID())) {
            register(context, "", () -> status.last().counters());
        }
    }

    /** As for an executor. */
    public static void registerDriver(PluginContext context, StatusBook book) {
        register(context, "total.", book::total);
    }

    private static void register(PluginContext context, String prefix, Supplier<Counters> counters) {
        for (String name : Counters.NONE.byName().keySet()) {
            Gauge<Long> gauge = () -> counters.get().byName().getOrDefault(name, ExecutorStatus.UNKNOWN);
            context.metricRegistry().register(prefix + name, gauge);
        }
    }
}
