package org.berth.spark.executor;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.SparkConf;
import org.berth.binding.internal.guard.GuardedSlots;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.binding.internal.jvm.WholeDomain;
import org.berth.placement.AffinityLevel;
import org.berth.placement.internal.guard.SlotWidths;
import org.berth.spark.conf.SparkKeys;
import org.berth.spark.settings.AffinitySettings;
import org.berth.spark.threads.ServiceSettings;
import org.berth.spark.threads.SparkServiceThreads;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The domain of an executor and, except at level none, the slots of its tasks and its service threads. Not thread-safe
 * except where noted.
 */
public final class ExecutorBinding implements AutoCloseable {
    private final ExecutorDomain domain;
    private final AffinityLevel level;
    private final boolean planned;
    private final @Nullable TaskBinder tasks;
    private final @Nullable ServiceSettings services;
    private final @Nullable GuardedSlots guard;
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private volatile @Nullable SparkServiceThreads threads;
    private boolean threadsTried;
    private @Nullable WholeDomain whole;

    private ExecutorBinding(
            ExecutorDomain domain,
            AffinityLevel level,
            boolean planned,
            @Nullable SlotTable table,
            boolean guarded,
            boolean atOnce,
            SparkConf conf) {
        this.domain = domain;
        this.level = level;
        this.planned = planned;
        SlotWidths widths = table == null || !guarded ? SlotWidths.none() : widths(domain, table);
        this.tasks = table == null ? null : new TaskBinder(domain.binder(), table, domain.cpus(), widths);
        this.guard = tasks == null || !guarded ? null : new GuardedSlots(tasks, widths, atOnce, AffinitySettings.GUARD);
        this.services = serviceSettings(conf);
        this.threads = needsThreads() ? startThreads(Set.of()) : null;
        if (tasks != null) {
            WholeDomain held = WholeDomain.hold(processors());
            held.note().ifPresent(notes::add);
            this.whole = held;
        }
        collectorNote().ifPresent(notes::add);
        numaNote().ifPresent(notes::add);
    }

    private static SlotTable table(ExecutorDomain domain) {
        return domain.isShared()
                ? SlotTable.whole(domain.cpus())
                : SlotTable.of(domain.topology(), domain.orderedLevel(), domain.cpus());
    }

    private static SlotWidths widths(ExecutorDomain domain, SlotTable table) {
        return SlotWidths.of(domain.topology(), domain.cpus(), table.cpus());
    }

    /**
     * Leases a domain for this executor, or takes the slots of a plan without a lease. Slots that the user or Spark's resource
     * scheduling chose are not widened.
     *
     * @throws RuntimeException one line, when that is not possible; nothing stays bound then
     */
    public static ExecutorBinding open(
            AffinitySettings settings, SparkConf conf, Optional<CpuSet> granted, String name) {
        boolean planned = !settings.planFile().isEmpty();
        AffinitySettings effective = planned ? settings.withLevel(AffinityLevel.NONE) : settings;
        ExecutorDomain domain = ExecutorDomain.open(effective, granted, name);
        try {
            if (planned) {
                PlanFile plan =
                        PlanFile.open(settings.planFile(), domain.topology().allowedCpuSet());
                return new ExecutorBinding(domain, plan.level(), true, plan.table(), false, true, conf);
            }
            SlotTable table = domain.level() == AffinityLevel.NONE ? null : table(domain);
            return new ExecutorBinding(
                    domain,
                    domain.level(),
                    false,
                    table,
                    settings.guarded() && granted.isEmpty(),
                    settings.bindsAtOnce(),
                    conf);
        } catch (RuntimeException e) {
            domain.close();
            throw e;
        }
    }

    /** What tasks may count: a plan leaves the process as it is. */
    private CpuSet processors() {
        return planned ? domain.topology().allowedCpuSet() : domain.cpus();
    }

    /** An error in these settings does not concern tasks. */
    private @Nullable ServiceSettings serviceSettings(SparkConf conf) {
        try {
            return ServiceSettings.of(conf);
        } catch (RuntimeException e) {
            notes.add("threads that run no task are left alone: " + FailureText.of(e));
            return null;
        }
    }

    /** While tasks may use all CPUs, there is nothing to keep service threads off, unless the user gave them CPUs. */
    private boolean needsThreads() {
        return guard == null || guard.areNarrow() || (services != null && services.placesThreads());
    }

    private @Nullable SparkServiceThreads startThreads(Set<CpuSet> former) {
        threadsTried = true;
        TaskBinder present = tasks;
        ServiceSettings settings = services;
        if (present == null || settings == null) {
            if (settings != null && settings.placesThreads()) {
                notes.add(ServiceSettings.THREADS + " has no effect, because this executor binds no task (level "
                        + level.word() + "); " + SparkKeys.LEVEL + "=core or pu makes it bind them");
            }
            return null;
        }
        // At the other levels a slot is as large as the domain, and there is nothing to keep service threads off.
        boolean tight = !domain.isShared() && (level == AffinityLevel.CORE || level == AffinityLevel.PU);
        try {
            return SparkServiceThreads.start(
                    domain.binder(),
                    domain.topology(),
                    domain.cpus(),
                    tight ? present.slots() : List.of(),
                    former,
                    settings);
        } catch (RuntimeException e) {
            notes.add("threads that run no task are left alone: " + FailureText.of(e));
            return null;
        }
    }

    private void stopThreads() {
        SparkServiceThreads present = threads;
        if (present != null) {
            threads = null;
            present.close();
        }
    }

    /** Null when tasks are not bound. */
    @Nullable
    public TaskBinder tasks() {
        return tasks;
    }

    /** The CPUs of the domain. Any thread may call this. */
    public CpuSet cpus() {
        return domain.cpus();
    }

    /** The machine as this process may use it now. Any thread may call this. */
    public Topology topology() {
        return domain.topology();
    }

    /** Why this domain and this level, for people. */
    public String reason() {
        return planned ? "as the plan says" : domain.reason();
    }

    /** Null when they are left alone. Any thread may call this. */
    @Nullable
    public SparkServiceThreads threads() {
        return threads;
    }

    /** The level of the tasks' slots. */
    public AffinityLevel level() {
        return planned ? level : domain.level();
    }

    /** Whether the slots are those of a plan. */
    public boolean planned() {
        return planned;
    }

    /** Null when nothing widens the slots. Any thread may call this. */
    @Nullable
    public GuardedSlots guard() {
        return guard;
    }

    /** One line: what is bound and why. */
    public String sentence() {
        return planned && tasks != null
                ? "the " + tasks.slots().size() + " slots of the plan for tasks; everything else stays as it is"
                : domain.sentence() + (guard == null ? "" : guard.beginning());
    }

    /** What could not be done and why, one line each. Any thread may call this. */
    public List<String> warnings() {
        List<String> all = new ArrayList<>(domain.notes());
        all.addAll(notes);
        return all;
    }

    /** The warnings, and what is to be known at present. Any thread may call this. */
    public List<String> notes() {
        List<String> all = new ArrayList<>(warnings());
        if (guard != null) {
            guard.note().ifPresent(all::add);
        }
        return all;
    }

    /** The notes that are new since the last call. */
    public List<String> newNotes() {
        List<String> lines = whole == null ? List.of() : WholeDomain.libraryNotes();
        notes.addAll(lines);
        return lines;
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
                (whole ? domain.topology().allowedCpuSet() : domain.cpus()).size());
    }

    private Optional<String> numaNote() {
        NodeSet nodes = domain.topology().nodesOf(domain.cpus());
        NodeSet allowed = domain.topology().allowedNodeSet();
        // Asking HotSpot loads much of the JDK's management, and is not needed on most machines.
        return tasks == null || planned || nodes.equals(allowed) || OwnProcess.hasAgent()
                ? Optional.empty()
                : CollectorNote.ofNuma(usesNuma(), nodes, allowed);
    }

    private static boolean usesNuma() {
        HotSpotDiagnosticMXBean flags = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return flags != null
                && Boolean.parseBoolean(flags.getVMOption("UseNUMA").getValue());
    }

    /**
     * Follows a change of the cpuset, widens slots that cost more than they gain, and restores idle threads. To be called once
     * a second, and more often as {@link GuardedSlots#nextLookMillis} says.
     *
     * @return a line for the log when something has changed
     * @throws RuntimeException one line, when the change cannot be followed
     */
    public Optional<String> update() {
        Optional<CpuSet> now = domain.changed();
        Optional<String> change = Optional.empty();
        TaskBinder present = tasks;
        if (now.isPresent()) {
            // A thread that a task starts meanwhile inherits the slot of that task.
            Set<CpuSet> former = new HashSet<>(present == null ? List.of() : present.slots());
            former.add(domain.cpus());
            // First, because it restores the former masks of threads.
            stopThreads();
            change = Optional.of(domain.follow(now.get()));
            // The user chose the slots of a plan: a task whose slot is gone runs unbound, and a warning says so.
            if (present != null && !planned && domain.level() != AffinityLevel.NONE) {
                SlotTable table = table(domain);
                SlotWidths widths = guard == null ? SlotWidths.none() : widths(domain, table);
                present.replace(domain.binder(), table, domain.cpus(), widths);
                if (guard != null) {
                    guard.replace(widths);
                }
            }
            threads = needsThreads() ? startThreads(former) : null;
            if (whole != null) {
                whole.change(processors());
            }
        }
        if (guard != null && change.isEmpty()) {
            change = guard.update(domain.cpus());
            if (!threadsTried && needsThreads()) {
                threads = startThreads(Set.of());
            }
        }
        if (present != null) {
            present.restoreIdle();
        }
        return change;
    }

    @Override
    public void close() {
        try (domain) {
            if (whole != null) {
                whole.close();
            }
            stopThreads();
            if (guard != null) {
                guard.close();
            }
            if (tasks != null) {
                tasks.restoreAll();
            }
        }
    }
}
