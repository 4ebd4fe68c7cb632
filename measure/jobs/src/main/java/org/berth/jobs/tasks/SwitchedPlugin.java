package org.berth.jobs.tasks;

import java.util.Map;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.berth.binding.Binder;
import org.berth.binding.LocalMachine;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * Another plugin whose task hooks can be switched off and on while the application runs, so that both are measured with the
 * same compiled code and the same heap. Local mode only: the switch is a static field.
 */
public final class SwitchedPlugin implements SparkPlugin {
    private static volatile String wrapped = "";
    private static volatile boolean on = true;

    private final SparkPlugin plugin;

    /** Called by Spark. */
    public SwitchedPlugin() throws ReflectiveOperationException {
        plugin = Class.forName(wrapped)
                .asSubclass(SparkPlugin.class)
                .getDeclaredConstructor()
                .newInstance();
    }

    static void wrap(String className) {
        wrapped = className;
    }

    static void turn(boolean newState) {
        on = newState;
    }

    @Override
    public DriverPlugin driverPlugin() {
        return plugin.driverPlugin();
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new Hooks(plugin.executorPlugin());
    }

    private static final class Hooks implements ExecutorPlugin {
        private final ExecutorPlugin hooks;
        private final ThreadLocal<Boolean> used = ThreadLocal.withInitial(() -> false);
        private @Nullable Binder binder;
        private CpuSet cpus = CpuSet.empty();

        Hooks(ExecutorPlugin hooks) {
            this.hooks = hooks;
        }

        @Override
        public void init(PluginContext context, Map<String, String> settings) {
            Binder own = LocalMachine.open().binder();
            cpus = own.threadCpus();
            binder = own;
            hooks.init(context, settings);
        }

        @Override
        public void shutdown() {
            hooks.shutdown();
        }

        @Override
        public void onTaskStart() {
            if (on) {
                used.set(true);
                hooks.onTaskStart();
            } else if (used.get() && binder != null) {
                used.set(false);
                binder.setThreadCpusUnverified(cpus);
            }
        }

        @Override
        public void onTaskSucceeded() {
            if (used.get()) {
                hooks.onTaskSucceeded();
            }
        }

        @Override
        public void onTaskFailed(TaskFailedReason reason) {
            if (used.get()) {
                hooks.onTaskFailed(reason);
            }
        }
    }
}
