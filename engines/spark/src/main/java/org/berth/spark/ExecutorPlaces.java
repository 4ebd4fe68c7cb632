package org.berth.spark;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.placement.AffinityLevel;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/** An executor's home and, below level none, the places of its tasks. Not for several threads but where it says so. */
final class ExecutorPlaces implements AutoCloseable {
    private final ExecutorHome home;
    private final @Nullable TaskPlaces tasks;
    private final boolean planned;

    private ExecutorPlaces(ExecutorHome home, @Nullable TaskPlaces tasks, boolean planned) {
        this.home = home;
        this.tasks = tasks;
        this.planned = planned;
    }

    /**
     * Takes a place for this executor, or the slots of a plan, which share out nothing.
     *
     * @throws RuntimeException one line, when it cannot be had; nothing stays bound then
     */
    static ExecutorPlaces open(AffinitySettings settings, Optional<CpuSet> granted, String name) {
        boolean planned = !settings.planFile().isEmpty();
        AffinitySettings effective =
                planned ? new AffinitySettings(Optional.of(AffinityLevel.NONE), "", 0, 1, settings.local()) : settings;
        ExecutorHome home = ExecutorHome.open(effective, granted, name);
        try {
            CpuSet allowed = home.topology().allowedCpuSet();
            SlotTable table = planned
                    ? PlanFile.open(settings.planFile(), allowed)
                    : home.level() == AffinityLevel.NONE
                            ? null
                            : SlotTable.of(home.topology(), home.level(), home.cpus());
            TaskPlaces tasks = table == null ? null : new TaskPlaces(home.binder(), table, home.cpus());
            return new ExecutorPlaces(home, tasks, planned);
        } catch (RuntimeException e) {
            home.close();
            throw e;
        }
    }

    /** Null when tasks are not bound. */
    @Nullable
    TaskPlaces tasks() {
        return tasks;
    }

    ExecutorHome home() {
        return home;
    }

    /** Whether the places are those of a plan. */
    boolean planned() {
        return planned;
    }

    /** One line: what is done here and why. */
    String sentence() {
        return planned && tasks != null
                ? "the " + tasks.units().size() + " slots of the plan for tasks; everything else stays as it is"
                : home.sentence();
    }

    /** What could not be done, and why, and traps; one line each. */
    List<String> notes() {
        List<String> notes = new ArrayList<>(home.notes());
        List<String> collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .toList();
        CollectorNote.of(
                        collectors,
                        ManagementFactory.getRuntimeMXBean().getInputArguments(),
                        Runtime.getRuntime().availableProcessors(),
                        tasks == null
                                ? home.topology().allowedCpuSet().size()
                                : home.cpus().size())
                .ifPresent(notes::add);
        return notes;
    }

    /**
     * Looks after changes of the cpuset and after threads without work.
     *
     * @return what has changed, for the log
     * @throws RuntimeException one line, when it cannot be followed
     */
    Optional<String> look() {
        Optional<String> change = home.follow();
        TaskPlaces present = tasks;
        if (present != null) {
            // The slots of a plan are the user's: a task that gets one which is gone runs unbound, and says so.
            if (change.isPresent() && !planned && home.level() != AffinityLevel.NONE) {
                present.replace(home.binder(), SlotTable.of(home.topology(), home.level(), home.cpus()), home.cpus());
            }
            present.restoreIdle();
        }
        return change;
    }

    @Override
    public void close() {
        try (home) {
            if (tasks != null) {
                tasks.restoreAll();
            }
        }
    }
}
