package org.berth.spark.status;

import com.codahale.metrics.Gauge;
import java.util.function.Supplier;
import org.apache.spark.api.plugin.PluginContext;
import org.berth.spark.status.ExecutorStatus.Counters;

/**
 * The counters as gauges of Spark's metrics system: for each executor
 * {@code <application>.<executor>.plugin.org.berth.spark.AffinityPlugin.migrations} and so on, for the driver the sums over
 * all executors, {@code total.migrations}. A value that is not known is -1.
 */
public final class StatusMetrics {
    /** SparkContext.DRIVER_IDENTIFIER, which is not public. */
    private static final String DRIVER = "driver";

    private StatusMetrics() {}

    /**
     * Whether an executor has gauges of its own. In local mode it is the driver, whose sums are the same, and Spark would
     * warn that it has no name for the metrics yet.
     */
    public static boolean areOfExecutor(PluginContext context) {
        return !DRIVER.equals(context.executorID());
    }

    /** Must be called in the plugin's {@code init}: Spark reads the registry once, right after it. */
    public static void registerExecutor(PluginContext context, StatusBuilder status) {
        register(context, "", () -> status.last().counters());
    }

    /** Must be called in the plugin's {@code init}, too. */
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
