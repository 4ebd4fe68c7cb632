package org.berth.spark.executor;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.SparkConf;
import org.berth.binding.Reason;
import org.berth.placement.AffinityLevel;
import org.berth.spark.settings.AffinitySettings;
import org.berth.spark.threads.ServiceSettings;
import org.berth.spark.threads.ServiceThreads;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;

/** An executor's home and, below level none, the places of its tasks. Not for several threads but where it says so. */
public final class ExecutorPlaces implements AutoCloseable {
    private final ExecutorHome home;
    private final AffinityLevel level;
    private final boolean planned;
    private final @Nullable TaskPlaces tasks;
    private final @Nullable ServiceSettings services;
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private volatile @Nullable ServiceThreads threads;

    private ExecutorPlaces(
            ExecutorHome home, AffinityLevel level, boolean planned, @Nullable SlotTable table, SparkConf conf) {
        this.home = home;
        this.level = level;
        this.planned = planned;
        this.tasks = table == null ? null : new TaskPlaces(home.binder(), table, home.cpus());
        this.services = table == null ? null : serviceSettings(conf);
        this.threads = startThreads(Set.of());
        collectorNote().ifPresent(notes::add);
    }

    /**
     * Takes a place for this executor, or the slots of a plan, which share out nothing.
     *
     * @throws RuntimeException one line, when it cannot be had; nothing stays bound then
     */
    public static ExecutorPlaces open(
            AffinitySettings settings, SparkConf conf, Optional<CpuSet> granted, String name) {
        boolean planned = !settings.planFile().isEmpty();
        AffinitySettings effective =
                planned ? new AffinitySettings(Optional.of(AffinityLevel.NONE), "", 0, 1, settings.local()) : settings;
        ExecutorHome home = ExecutorHome.open(effective, granted, name);
        try {
            if (planned) {
                PlanFile plan =
                        PlanFile.open(settings.planFile(), home.topology().allowedCpuSet());
                return new ExecutorPlaces(home, plan.level(), true, plan.table(), conf);
            }
            SlotTable table = home.level() == AffinityLevel.NONE
                    ? null
                    : SlotTable.of(home.topology(), home.level(), home.cpus());
            return new ExecutorPlaces(home, home.level(), false, table, conf);
        } catch (RuntimeException e) {
            home.close();
            throw e;
        }
    }

    /** What is wrong with them concerns no task. */
    private @Nullable ServiceSettings serviceSettings(SparkConf conf) {
        try {
            return ServiceSettings.of(conf);
        } catch (RuntimeException e) {
            notes.add("threads that run no task are left alone: " + Reason.of(e));
            return null;
        }
    }

    private @Nullable ServiceThreads startThreads(Set<CpuSet> former) {
        TaskPlaces present = tasks;
        ServiceSettings settings = services;
        if (present == null || settings == null) {
            return null;
        }
        // At the loose levels a place is all that the executor has: nothing to keep off.
        boolean tight = level == AffinityLevel.CORE || level == AffinityLevel.PU;
        try {
            return ServiceThreads.start(
                    home.binder(), home.topology(), home.cpus(), tight ? present.units() : List.of(), former, settings);
        } catch (RuntimeException e) {
            notes.add("threads that run no task are left alone: " + Reason.of(e));
            return null;
        }
    }

    private void stopThreads() {
        ServiceThreads present = threads;
        if (present != null) {
            threads = null;
            present.close();
        }
    }

    /** Null when tasks are not bound. */
    @Nullable
    public TaskPlaces tasks() {
        return tasks;
    }

    /** The CPUs of this executor. */
    public CpuSet cpus() {
        return home.cpus();
    }

    /** The machine as this process may use it now. */
    public Topology topology() {
        return home.topology();
    }

    /** Why this domain and this level, for people. */
    public String reason() {
        return planned ? "as the plan says" : home.reason();
    }

    /** Null when they are left alone. May be asked by any thread. */
    @Nullable
    public ServiceThreads threads() {
        return threads;
    }

    /** Tightness of the tasks' places. */
    public AffinityLevel level() {
        return planned ? level : home.level();
    }

    /** Whether the places are those of a plan. */
    public boolean planned() {
        return planned;
    }

    /** One line: what is done here and why. */
    public String sentence() {
        return planned && tasks != null
                ? "the " + tasks.units().size() + " slots of the plan for tasks; everything else stays as it is"
                : home.sentence();
    }

    /** What could not be done, and why, and traps; one line each. May be asked by any thread. */
    public List<String> notes() {
        List<String> all = new ArrayList<>(home.notes());
        all.addAll(notes);
        return all;
    }

    private Optional<String> collectorNote() {
        List<String> collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .toList();
        boolean whole = tasks == null || planned;
        return CollectorNote.of(
                collectors,
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                Runtime.getRuntime().availableProcessors(),
                (whole ? home.topology().allowedCpuSet() : home.cpus()).size());
    }

    /**
     * Looks after changes of the cpuset and after threads without work.
     *
     * @return what has changed, for the log
     * @throws RuntimeException one line, when it cannot be followed
     */
    public Optional<String> look() {
        Optional<CpuSet> now = home.changed();
        Optional<String> change = Optional.empty();
        TaskPlaces present = tasks;
        if (now.isPresent()) {
            // A thread that a task starts meanwhile is born where the task was.
            Set<CpuSet> former = new HashSet<>(present == null ? List.of() : present.units());
            former.add(home.cpus());
            // First, because it gives threads back what they had before.
            stopThreads();
            change = Optional.of(home.follow(now.get()));
            // The slots of a plan are the user's: a task that gets one which is gone runs unbound, and says so.
            if (present != null && !planned && home.level() != AffinityLevel.NONE) {
                present.replace(home.binder(), SlotTable.of(home.topology(), home.level(), home.cpus()), home.cpus());
            }
            threads = startThreads(former);
        }
        if (present != null) {
            present.restoreIdle();
        }
        return change;
    }

    @Override
    public void close() {
        try (home) {
            stopThreads();
            if (tasks != null) {
                tasks.restoreAll();
            }
        }
    }
}
