package org.berth.spark;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkFiles;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.berth.binding.LocalMachine;
import org.berth.binding.internal.guard.GuardedSlots;
import org.berth.binding.internal.jvm.BerthCopies;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.spark.conf.SparkKeys;
import org.berth.spark.executor.CpuSlots;
import org.berth.spark.executor.ExecutorBinding;
import org.berth.spark.executor.TaskBinder;
import org.berth.spark.settings.AffinitySettings;
import org.berth.spark.settings.CpuAmount;
import org.berth.spark.status.BindingStatus;
import org.berth.spark.status.OwnCost;
import org.berth.spark.status.StatusBuilder;
import org.berth.spark.status.StatusMetrics;
import org.berth.spark.status.StatusSender;
import org.berth.spark.threads.SparkServiceThreads;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell between Spark and {@link ExecutorBinding}. No exception may leave it: one in {@code init} makes a cluster
 * start the executor again and again. Spark calls the task hooks on the task's own thread.
 */
final class AffinityExecutorPlugin implements ExecutorPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(SparkKeys.PLUGIN);

    private final AtomicInteger failures = new AtomicInteger();
    private volatile @Nullable ExecutorBinding binding;
    private volatile @Nullable TaskBinder tasks;
    private volatile @Nullable PeriodicThread watch;
    private final OwnCost cost = new OwnCost();
    private final Runnable starts = this::taskStarts;
    private final Runnable ends = this::taskEnds;
    private volatile @Nullable Thread starter;
    private volatile @Nullable StatusBuilder builder;
    private volatile @Nullable StatusSender sender;
    private volatile BerthCopies.@Nullable Use copy;
    private volatile String problem = "";
    private volatile long taskCpus = CpuAmount.ONE;

    @Override
    public void init(PluginContext context, Map<String, String> extraConf) {
        try {
            StatusBuilder status = new StatusBuilder(context, this::machine, cost, this::status);
            builder = status;
            // Spark reads them when this method returns.
            StatusMetrics.registerExecutor(context, status);
        } catch (Exception | LinkageError e) {
            LOG.warn("Berth: no metrics: {}", FailureText.of(e));
        }
        try {
            Thread thread = new Thread(() -> cost.start(() -> open(context)), "berth-start");
            thread.setDaemon(true);
            thread.start();
            starter = thread;
        } catch (Exception | OutOfMemoryError e) {
            // No thread can be started.
            problem = "all tasks run unbound: " + FailureText.of(e);
            LOG.warn("Berth: {}", problem);
        }
    }

    /** In a thread of its own, because Spark has things to do until the first task comes, which waits for it. */
    private void open(PluginContext context) {
        try {
            BerthCopies.Use used = copy(context.executorID());
            copy = used;
            used.line().ifPresent(line -> LOG.warn("Berth: {}", line));
            if (used.isAllowed()) {
                bind(context);
            } else {
                problem = "all tasks run unbound: " + used.line().orElse("another copy of Berth is used");
            }
        } catch (Exception | LinkageError e) {
            problem = "all tasks run unbound: " + FailureText.of(e);
            LOG.warn("Berth: {}", problem);
        }
        StatusBuilder status = builder;
        try {
            if (status != null) {
                sender = StatusSender.start(context, status);
            }
        } catch (Exception | LinkageError e) {
            LOG.warn("Berth: no status is sent to the driver: {}", FailureText.of(e));
        }
    }

    /** In a driver that runs tasks, Spark copies the jars of the job once more, for its class loader of tasks. */
    private static BerthCopies.Use copy(String executor) {
        // Without an environment, as in a benchmark of this class alone, no job has jars.
        boolean inDriver = executor.equals("driver") && SparkEnv.get() != null;
        Path files = inDriver ? Path.of(SparkFiles.getRootDirectory()).toAbsolutePath() : null;
        return BerthCopies.use("the tasks of this executor", AffinityPlugin.class, files);
    }

    private void bind(PluginContext context) {
        AffinitySettings settings = AffinitySettings.of(context.conf(), System.getProperty("sun.java.command", ""));
        taskCpus = settings.taskCpus();
        Optional<CpuSet> granted = CpuSlots.of(context.resources());
        ExecutorBinding opened =
                ExecutorBinding.open(settings, context.conf(), granted, "spark executor " + context.executorID());
        LOG.info("Berth: {}", opened.sentence());
        opened.notes().forEach(note -> LOG.warn("Berth: {}", note));
        binding = opened;
        tasks = opened.tasks();
        watch = new PeriodicThread(this::update);
    }

    private Optional<Topology> machine() {
        try {
            ExecutorBinding present = binding;
            return Optional.of(present == null ? LocalMachine.open().topology() : present.topology());
        } catch (RuntimeException | LinkageError e) {
            return Optional.empty();
        }
    }

    private BindingStatus status() {
        ExecutorBinding present = binding;
        return present == null ? BindingStatus.none(problem) : BindingStatus.of(present, failures.get());
    }

    @Override
    public void onTaskStart() {
        cost.hook(starts);
    }

    /** Waits for the start; a task that is killed meanwhile is not bound. */
    private boolean isOpen() {
        Thread thread = starter;
        if (thread == null) {
            return true;
        }
        try {
            thread.join();
            starter = null;
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void taskStarts() {
        if (!isOpen()) {
            return;
        }
        TaskBinder present = tasks;
        if (present == null) {
            return;
        }
        try {
            long shared = enter(present);
            ExecutorBinding all = binding;
            SparkServiceThreads threads = all == null ? null : all.threads();
            if (threads != null) {
                threads.taskStarted();
            }
            if (shared == 1) {
                LOG.warn("Berth: more tasks at a time than this executor has slots: they share the least used ones");
            }
        } catch (Exception | LinkageError e) {
            warnOnce("a task runs unbound", e);
        }
    }

    private long enter(TaskBinder present) {
        TaskContext context = TaskContext.get();
        if (context == null) { // not called by a task of Spark
            return present.enter(-1, taskCpus, null);
        }
        @Nullable CpuSet given = CpuSlots.of(context.resourcesJMap()).orElse(null);
        return present.enter(context.taskAttemptId(), CpuAmount.of(context), given);
    }

    @Override
    public void onTaskSucceeded() {
        cost.hook(ends);
    }

    @Override
    public void onTaskFailed(TaskFailedReason reason) {
        cost.hook(ends);
    }

    @Override
    public void shutdown() {
        isOpen();
        StatusSender sending = sender;
        if (sending != null) {
            sending.close();
        }
        BerthCopies.Use own = copy;
        if (own != null) {
            own.close();
        }
        ExecutorBinding present = binding;
        if (present == null) {
            return;
        }
        try (present) {
            tasks = null;
            PeriodicThread watching = watch;
            if (watching != null) {
                watching.close();
            }
        } catch (Exception | LinkageError e) {
            warnOnce("the former CPUs of a thread could not be restored", e);
        }
        TaskBinder binder = present.tasks();
        if (binder != null) {
            GuardedSlots guard = present.guard();
            LOG.info(
                    "Berth: {}{}, {} failures to bind or restore",
                    binder.summary(),
                    guard == null ? "" : guard.summary(),
                    failures.get());
        }
        LOG.info("Berth: {}", cost.read().sentence());
    }

    private void taskEnds() {
        TaskBinder present = tasks;
        if (present == null) {
            return;
        }
        try {
            present.leave();
        } catch (Exception | LinkageError e) {
            warnOnce("the end of a task was not recorded", e);
        }
    }

    private void update() {
        ExecutorBinding present = binding;
        if (present == null) {
            return;
        }
        try {
            present.update().ifPresent(what -> LOG.info("Berth: {}", what));
            present.newNotes().forEach(note -> LOG.warn("Berth: {}", note));
        } catch (Exception | LinkageError e) {
            warnOnce("changes of its CPUs are not followed", e);
        }
    }

    /** Logs the first failure only; {@link #shutdown} logs how many there were. */
    private void warnOnce(String what, Throwable reason) {
        if (failures.getAndIncrement() == 0) {
            LOG.warn("Berth: {}: {}", what, FailureText.of(reason));
        }
    }
}
