package org.berth.microbenchmarks;

import com.codahale.metrics.MetricRegistry;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.jspecify.annotations.Nullable;

/** What Spark gives a plugin, of an executor without a driver. */
record TaskBenchmarkContext(SparkConf conf) implements PluginContext {
    private static final MetricRegistry METRICS = new MetricRegistry();

    @Override
    public MetricRegistry metricRegistry() {
        return METRICS;
    }

    @Override
    public String executorID() {
        return "driver";
    }

    @Override
    public String hostname() {
        return "localhost";
    }

    @Override
    public Map<String, ResourceInformation> resources() {
        return Map.of();
    }

    @Override
    public void send(Object message) {
        // There is nobody.
    }

    @Override
    public @Nullable Object ask(Object message) {
        return null;
    }
}
