package org.berth.mapreduce.embedded;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.berth.binding.Binder;
import org.berth.binding.LocalMachine;
import org.berth.binding.SlotBinder;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.guard.GuardedSlots;
import org.berth.binding.internal.jvm.BerthCopies;
import org.berth.binding.internal.jvm.WholeDomain;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.placement.internal.guard.SlotWidths;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The slots of a pool's worker threads, and the guard that widens them. Thread-safe. */
final class WorkerSlots implements GuardedSlots.Threads {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerSlots.class);

    private final Binder binder;
    private final SlotBinder slots;
    private final SlotWidths widths;
    private final Map<Thread, Bound> workers = new ConcurrentHashMap<>();
    private final AtomicLong started = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private long startedBefore;
    private volatile int width;

    private record Bound(int tid, CpuSet cpus) {}

    /** A task of a worker. */
    interface Use extends AutoCloseable {
        @Override
        void close();
    }

    private WorkerSlots(LocalMachine machine, PlacementPlan plan, boolean guarded) {
        this.binder = machine.binder();
        this.slots = SlotBinder.of(binder, plan);
        CpuSet domain = machine.topology().allowedCpuSet();
        this.widths = guarded
                ? SlotWidths.of(
                        machine.topology(),
                        domain,
                        slots.slots().stream().map(Slot::cpus).toList())
                : SlotWidths.none();
        if (widths.widest() > 0) {
            GuardedSlots guard = new GuardedSlots(this, widths, true, EngineSettings.GUARD);
            Thread watch = new Thread(() -> watch(guard, domain), "berth-workers-watch");
            watch.setDaemon(true);
            watch.start();
        }
    }

    /** The slots of a pool, for the life of this JVM; empty when its threads are not bound, with a warning where that was asked for. */
    static Optional<WorkerSlots> of(EngineSettings settings) {
        if (settings.level().level() == AffinityLevel.NONE) {
            return Optional.empty();
        }
        try {
            BerthCopies.Use copy = BerthCopies.use("the workers of MapReduce jobs", WorkerPool.class);
            copy.line().ifPresent(line -> LOG.warn("Berth: {}", line));
            if (!copy.isAllowed()) {
                return Optional.empty();
            }
            LocalMachine machine = LocalMachine.open();
            PlacementRequest request = PlacementRequest.of(AffinityLevel.NONE, 1, settings.threads())
                    .withLevel(settings.level());
            PlacementPlan plan = PlacementPolicies.byLevel().plan(machine.topology(), request);
            return Optional.of(new WorkerSlots(machine, plan, settings.guarded()));
        } catch (RuntimeException | LinkageError e) {
            unbound(settings.level().word(), e);
            return Optional.empty();
        }
    }

    private static void unbound(String level, Throwable e) {
        LOG.warn(
                "cannot bind worker threads at level {}: {}; the job runs unbound, set {}=none or see berth doctor",
                level,
                e.getMessage(),
                EngineSettings.LEVEL);
    }

    private void watch(GuardedSlots guard, CpuSet domain) {
        try (guard) {
            while (true) {
                Thread.sleep(guard.nextLookMillis());
                guard.update(domain).ifPresent(line -> LOG.info("Berth: {}", line));
                WholeDomain.libraryNotes().forEach(line -> LOG.warn("Berth: {}", line));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("Berth: worker threads keep the CPUs that they have: {}", e.getMessage());
        }
    }

    /** Binds the calling worker for its life; where that is impossible it runs unbound, with a warning. */
    void bind() {
        try {
            Slot slot = slots.bind();
            int tid = binder.currentThreadId();
            workers.put(Thread.currentThread(), new Bound(tid, slot.cpus()));
            if (width > 0) {
                binder.setThreadCpusUnverified(widths.around(slot.cpus(), width));
            }
        } catch (RuntimeException e) {
            unbound("of the plan", e);
        }
    }

    /** Tells that a worker has a task until the result is closed. */
    static Use use(@Nullable WorkerSlots slots) {
        if (slots == null) {
            return () -> {};
        }
        slots.started.incrementAndGet();
        return slots.ended::incrementAndGet;
    }

    @Override
    public boolean haveWorked() {
        long endedNow = ended.get();
        long startedNow = started.get();
        boolean worked = startedNow != startedBefore || startedNow != endedNow;
        startedBefore = startedNow;
        return worked;
    }

    @Override
    public Set<Integer> tids() {
        workers.keySet().removeIf(thread -> !thread.isAlive());
        return workers.values().stream().map(Bound::tid).collect(Collectors.toSet());
    }

    @Override
    public void widen(int next) {
        width = next;
        BindingException failure = null;
        for (Map.Entry<Thread, Bound> worker : workers.entrySet()) {
            Bound bound = worker.getValue();
            try {
                binder.setThreadCpusUnverified(bound.tid(), widths.around(bound.cpus(), next));
            } catch (BindingException e) {
                // A worker that was given up may end at any moment.
                failure = worker.getKey().isAlive() ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
