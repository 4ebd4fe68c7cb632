package org.berth.spark;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.berth.binding.LocalMachine;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell between Spark and {@link TaskPlaces}: nothing may get out of it, since an exception in {@code init} makes a
 * cluster start the executor again and again. Spark calls the task hooks on the task's own thread.
 */
final class AffinityExecutorPlugin implements ExecutorPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(AffinityPlugin.class);

    private final AtomicInteger failures = new AtomicInteger();
    private @Nullable TaskPlaces places;
    private @Nullable StatusSender sender;
    private String problem = "";

    @Override
    public void init(PluginContext context, Map<String, String> extraConf) {
        try {
            places = TaskPlaces.open(context.conf().get(AffinityPlugin.PLAN, ""));
        } catch (Exception | LinkageError e) {
            problem = "all tasks run unbound: " + Reason.of(e);
            LOG.warn("Berth: {}", problem);
        }
        try {
            StatusBuilder status = new StatusBuilder(context, machine(), this::status);
            StatusMetrics.registerExecutor(context, status);
            sender = StatusSender.start(context, status);
        } catch (Exception | LinkageError e) {
            LOG.warn("Berth: the driver is not told where tasks run: {}", Reason.of(e));
        }
    }

    private static Optional<Topology> machine() {
        try {
            return Optional.of(LocalMachine.open().topology());
        } catch (RuntimeException | LinkageError e) {
            return Optional.empty();
        }
    }

    private StatusPlaces status() {
        TaskPlaces present = places;
        return present == null ? StatusPlaces.none(problem) : present.status(failures.get());
    }

    @Override
    public void onTaskStart() {
        TaskPlaces present = places;
        if (present == null) {
            return;
        }
        try {
            if (present.enter() == 1) {
                LOG.warn("Berth: more tasks at a time than the plan has slots: they share the least used ones");
            }
        } catch (Exception | LinkageError e) {
            warnOnce("a task runs unbound", e);
        }
    }

    @Override
    public void onTaskSucceeded() {
        leave();
    }

    @Override
    public void onTaskFailed(TaskFailedReason reason) {
        leave();
    }

    @Override
    public void shutdown() {
        if (sender != null) {
            sender.close();
        }
        TaskPlaces present = places;
        if (present != null) {
            try {
                present.restoreAll();
            } catch (Exception | LinkageError e) {
                warnOnce("a task thread could not be given its former CPUs back", e);
            }
            LOG.info("Berth: {}, {} failures to bind or restore", present.summary(), failures.get());
        }
    }

    private void leave() {
        TaskPlaces present = places;
        if (present == null) {
            return;
        }
        try {
            present.leave();
        } catch (Exception | LinkageError e) {
            warnOnce("the end of a task was not noted", e);
        }
    }

    /** Of many equal failures the log needs one; the number is told at the end. */
    private void warnOnce(String what, Throwable reason) {
        if (failures.getAndIncrement() == 0) {
            LOG.warn("Berth: {}: {}", what, Reason.of(reason));
        }
    }
}
