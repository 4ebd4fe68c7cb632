package org.berth.mapreduce.spark;

import java.io.IOException;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.berth.mapreduce.runtime.HadoopPackage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries the messages of tasks from the executors to the driver. */
public final class MapReducePlugin implements SparkPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(MapReducePlugin.class);

    @Override
    public DriverPlugin driverPlugin() {
        return new Driver();
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new Executor();
    }

    private static final class Driver implements DriverPlugin {
        @Override
        public Map<String, String> init(SparkContext context, PluginContext plugin) {
            return Map.of();
        }

        @Override
        public Object receive(Object message) {
            return DriverJobs.answer(TaskMessage.of((byte[]) message));
        }
    }

    private static final class Executor implements ExecutorPlugin {
        @Override
        public void init(PluginContext context, Map<String, String> extra) {
            DriverLink.open(context);
            try {
                HadoopPackage.complete();
            } catch (IOException e) {
                LOG.warn(
                        "cannot complete Hadoop's package on this executor: {}; add Berth's jars to"
                                + " spark.executor.extraClassPath",
                        e.getMessage());
            }
        }

        @Override
        public void shutdown() {
            ExecutorJobs.closeAll();
        }
    }
}
