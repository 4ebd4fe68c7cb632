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
    /** Null when the first task is bound, too. */
    private volatile @Nullable FirstTasks firstTasks;

    private volatile @Nullable StatusBuilder builder;
    private volatile @Nullable StatusSender sender;
    private volatile BerthCopies.@Nullable Use copy;
    private volatile String problem = "";
    private volatile long taskCpus = CpuAmount.ONE;

    @Override
    public void init(PluginContext context, Map<String, String> extraConf) {
        try {
            if (StatusMetrics.areOfExecutor(context)) {
                StatusBuilder status = new StatusBuilder(context, this::machine, cost, this::status);
                builder = status;
                // Spark reads them when this method returns.
                StatusMetrics.registerExecutor(context, status);
            }
        } catch (Exception | LinkageError e) {
            LOG.warn("Berth: no metrics: {}", FailureText.of(e));
        }
        try {
            AffinitySettings settings = AffinitySettings.of(context.conf(), System.getProperty("sun.java.command", ""));
            taskCpus = settings.taskCpus();
            FirstTasks passing = settings.bindsAtOnce() ? null : new FirstTasks();
            firstTasks = passing;
            // Spark has things to do until the first task comes, which waits for a start that is not put off.
            Thread thread = new Thread(() -> start(context, settings, passing), "berth-start");
            thread.setDaemon(true);
            thread.start();
            starter = thread;
        } catch (Exception | LinkageError | OutOfMemoryError e) {
            // A setting is not valid, or no thread can be started.
            problem = "all tasks run unbound: " + FailureText.of(e);
            LOG.warn("Berth: {}", problem);
        }
    }

    private void start(PluginContext context, AffinitySettings settings, @Nullable FirstTasks passing) {
        if (passing != null) {
            if (!passing.await()) {
                LOG.info(
                        "Berth: the application ended before its tasks were bound, which is {} s after the first one has"
                                + " started; {}=off binds them at once",
                        FirstTasks.SECONDS,
                        AffinitySettings.GUARD);
                return;
            }
        }
        cost.start(() -> open(context, settings));
    }

    private void open(PluginContext context, AffinitySettings settings) {
        try {
            BerthCopies.Use used = copy(context.executorID());
            copy = used;
            used.line().ifPresent(line -> LOG.warn("Berth: {}", line));
            if (used.isAllowed()) {
                bind(context, settings);
            } else {
                problem = "all tasks run unbound: " + used.line().orElse("another copy of Berth is used");
            }
        } catch (Exception | LinkageError e) {
            problem = "all tasks run unbound: " + FailureText.of(e);
            LOG.warn("Berth: {}", problem);
        }
        try {
            StatusBuilder known = builder;
            StatusBuilder status =
                    known != null ? known : new StatusBuilder(context, this::machine, cost, this::status);
            sender = StatusSender.start(context, status);
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

    private void bind(PluginContext context, AffinitySettings settings) {
        Optional<CpuSet> granted = CpuSlots.of(context.resources());
        ExecutorBinding opened =
                ExecutorBinding.open(settings, context.conf(), granted, "spark executor " + context.executorID());
        LOG.info("Berth: {}", opened.sentence());
        opened.warnings().forEach(note -> LOG.warn("Berth: {}", note));
        binding = opened;
        TaskBinder binder = opened.tasks();
        tasks = binder;
        watch = new PeriodicThread(this::update);
        FirstTasks passing = firstTasks;
        if (binder == null || passing == null) {
            return;
        }
        try {
            passing.bindTo(binder);
        } catch (RuntimeException e) {
            warnOnce("a task runs unbound", e);
        }
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
        FirstTasks passing = firstTasks;
        if (passing == null && !isOpen()) {
            return;
        }
        TaskBinder present = tasks;
        if (present == null && passing == null) {
            return;
        }
        try {
            long shared = enter(present, passing);
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

    private long enter(@Nullable TaskBinder present, @Nullable FirstTasks passing) {
        // It is not there when no task of Spark calls.
        TaskContext context = TaskContext.get();
        long id = context == null ? -1 : context.taskAttemptId();
        long cpus = context == null ? taskCpus : CpuAmount.of(context);
        @Nullable
        CpuSet given =
                context == null ? null : CpuSlots.of(context.resourcesJMap()).orElse(null);
        if (present != null) {
            return present.enter(id, cpus, given);
        }
        if (passing == null) {
            return 0;
        }
        passing.begin(id, cpus, given);
        TaskBinder opened = tasks;
        // It may have looked for running tasks before this one was there.
        return opened == null ? 0 : opened.enter(id, cpus, given);
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
        FirstTasks passing = firstTasks;
        if (passing != null) {
            passing.end();
        }
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
        FirstTasks passing = firstTasks;
        if (passing != null) {
            passing.leave();
        }
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

    /** Returns the time until the next look. */
    private long update() {
        ExecutorBinding present = binding;
        if (present == null) {
            return PeriodicThread.SECOND_MILLIS;
        }
        try {
            present.update().ifPresent(what -> LOG.info("Berth: {}", what));
            present.newNotes().forEach(note -> LOG.warn("Berth: {}", note));
        } catch (Exception | LinkageError e) {
            warnOnce("changes of its CPUs are not followed", e);
        }
        GuardedSlots guard = present.guard();
        return guard == null ? PeriodicThread.SECOND_MILLIS : guard.nextLookMillis();
    }

    /** Logs the first failure only; {@link #shutdown} logs how many there were. */
    private void warnOnce(String what, Throwable reason) {
        if (failures.getAndIncrement() == 0) {
            LOG.warn("Berth: {}: {}", what, FailureText.of(reason));
        }
    }
}
