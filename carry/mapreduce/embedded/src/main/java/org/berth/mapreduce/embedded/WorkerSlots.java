package org.berth.mapreduce.embedded;

import java.util.List;
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
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The slots of a pool's worker threads in their domain, and the guard that widens them. Thread-safe. */
final class WorkerSlots implements GuardedSlots.Threads {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerSlots.class);

    private final Topology topology;
    private final Binder binder;
    private final EngineSettings settings;
    private final WorkerDomain domain;
    private final SlotBinder slots;
    private volatile Places places;
    private final Map<Thread, Bound> workers = new ConcurrentHashMap<>();
    private final AtomicLong started = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private long startedBefore;
    private volatile int width;

    /** @param slot its number */
    private record Bound(int tid, int slot) {}

    /** The slots at present, by their numbers. */
    private record Places(CpuSet domain, List<CpuSet> slots, SlotWidths widths) {
        CpuSet of(int slot, int width) {
            return widths.around(slots.get(slot % slots.size()), width);
        }
    }

    /** A task of a worker. */
    interface Use extends AutoCloseable {
        @Override
        void close();
    }

    private WorkerSlots(LocalMachine machine, EngineSettings settings) {
        this.topology = machine.topology();
        this.binder = machine.binder();
        this.settings = settings;
        this.domain = WorkerDomain.of(topology, settings);
        CpuSet cpus = domain.cpus();
        PlacementPlan plan = plan(cpus);
        this.slots = SlotBinder.of(binder, plan);
        this.places = places(cpus, plan);
        if (places.widths().widest() > 0 || domain.isUnseen()) {
            GuardedSlots guard = new GuardedSlots(this, places.widths(), true, EngineSettings.GUARD);
            Thread watch = new Thread(() -> watch(guard), "berth-workers-watch");
            watch.setDaemon(true);
            watch.start();
        }
    }

    private PlacementPlan plan(CpuSet cpus) {
        PlacementRequest request =
                PlacementRequest.of(AffinityLevel.NONE, 1, settings.threads()).withLevel(settings.level());
        return PlacementPolicies.byLevel().plan(topology.withAllowed(cpus, topology.allowedNodeSet()), request);
    }

    private Places places(CpuSet cpus, PlacementPlan plan) {
        List<CpuSet> all = plan.slots().stream().map(Slot::cpus).toList();
        return new Places(cpus, all, settings.guarded() ? SlotWidths.of(topology, cpus, all) : SlotWidths.none());
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
            return Optional.of(new WorkerSlots(LocalMachine.open(), settings));
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

    private void watch(GuardedSlots guard) {
        try (guard) {
            while (true) {
                Thread.sleep(guard.nextLookMillis());
                domain.leaveCrowd();
                follow(guard);
                guard.update(places.domain()).ifPresent(line -> LOG.info("Berth: {}", line));
                WholeDomain.libraryNotes().forEach(line -> LOG.warn("Berth: {}", line));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("Berth: worker threads keep the CPUs that they have: {}", e.getMessage());
        }
    }

    /** Pools that share a domain move one after the other. */
    private void follow(GuardedSlots guard) {
        CpuSet before = places.domain();
        CpuSet now = domain.cpus();
        if (!now.equals(before)) {
            Places next = places(now, plan(now));
            synchronized (workers) {
                places = next;
                width = 0;
            }
            guard.replace(places.widths());
            LOG.info(
                    "Berth: processes that do not see the lease of these worker threads use CPUs {}: now on CPUs {}",
                    before,
                    now);
        }
    }

    /** Binds the calling worker for its life; where that is impossible it runs unbound, with a warning. */
    void bind() {
        try {
            Slot slot = slots.bind();
            Bound bound = new Bound(binder.currentThreadId(), slots.slots().indexOf(slot));
            synchronized (workers) {
                workers.put(Thread.currentThread(), bound);
                binder.setThreadCpusUnverified(places.of(bound.slot(), width));
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
        BindingException failure = null;
        // No worker that starts meanwhile has the former width.
        synchronized (workers) {
            width = next;
            for (Map.Entry<Thread, Bound> worker : workers.entrySet()) {
                Bound bound = worker.getValue();
                try {
                    binder.setThreadCpusUnverified(bound.tid(), places.of(bound.slot(), next));
                } catch (BindingException e) {
                    // A worker that was given up may end at any moment.
                    failure = worker.getKey().isAlive() ? e : failure;
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
