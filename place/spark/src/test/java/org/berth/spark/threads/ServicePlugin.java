package org.berth.spark.threads;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.berth.binding.LocalMachine;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/** Only what is looked at in a test: tasks in turn on the slots of {@code spark.test.berth.slots}, and the other threads. */
public final class ServicePlugin implements SparkPlugin {
    public static final String SLOTS = "spark.test.berth.slots";

    @Override
    public @Nullable DriverPlugin driverPlugin() {
        return null;
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ExecutorPlugin() {
            private final LocalMachine machine = LocalMachine.open();
            private List<CpuSet> slots = List.of();
            private @Nullable SparkServiceThreads threads;
            private int next;

            @Override
            public void init(PluginContext context, Map<String, String> extraConf) {
                slots = List.of(context.conf().get(SLOTS).split(",", -1)).stream()
                        .map(CpuSet::parseList)
                        .toList();
                threads = SparkServiceThreads.start(
                        machine.binder(),
                        machine.topology(),
                        machine.topology().allowedCpuSet(),
                        slots,
                        Set.of(),
                        ServiceSettings.of(context.conf()));
            }

            @Override
            public synchronized void onTaskStart() {
                machine.binder().setThreadCpusUnverified(slots.get(next++ % slots.size()));
                Objects.requireNonNull(threads).taskStarted();
            }

            @Override
            public void shutdown() {
                Objects.requireNonNull(threads).close();
            }
        };
    }
}
