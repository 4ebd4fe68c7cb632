package org.berth.mapreduce.embedded;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.berth.binding.Binder;
import org.berth.binding.EdgeWatch;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.placement.EdgeChange;
import org.berth.placement.EdgeSettings;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.placement.SoftEdges;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The soft edges of worker threads, which are open at first and watched for the life of the JVM. Thread-safe. */
final class WorkerEdges implements EdgeWatch.Slots, EdgeWatch.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerEdges.class);

    private final Binder binder;
    private final List<Slot> slots;
    private final List<CpuSet> reaches;
    private final boolean[] open;
    private final Map<Integer, SlotThread> threads = new HashMap<>();
    private final EdgeWatch watch;
    private boolean closedOnce;
    private boolean openedAgain;

    /** The slot of a thread; only the thread itself writes whether it has work. */
    final class SlotThread implements AutoCloseable {
        private final int tid;
        private final int slot;
        private volatile boolean busy;

        private SlotThread(int tid, int slot) {
            this.tid = tid;
            this.slot = slot;
        }

        void workBegins() {
            busy = true;
            watch.wake();
        }

        void workEnds() {
            busy = false;
        }

        /** Must come before the thread ends, whose number the kernel may give to another one. */
        @Override
        public void close() {
            synchronized (WorkerEdges.this) {
                threads.remove(tid);
            }
        }
    }

    private WorkerEdges(Binder binder, List<Slot> slots, List<CpuSet> reaches) {
        this.binder = binder;
        this.slots = slots;
        this.reaches = reaches;
        this.open = new boolean[slots.size()];
        Arrays.fill(open, true);
        this.watch = EdgeWatch.start(EdgeSettings.defaults(), this, this);
    }

    /** Watches the slots of a plan; null where no edge would give a thread more CPUs. */
    static @Nullable WorkerEdges watch(Binder binder, Topology topology, PlacementPlan plan) {
        List<CpuSet> reaches = plan.slots().stream()
                .map(slot -> SoftEdges.reach(topology, slot.cpus(), topology.allowedCpuSet()))
                .toList();
        List<CpuSet> cpus = plan.slots().stream().map(Slot::cpus).toList();
        return reaches.equals(cpus) ? null : new WorkerEdges(binder, plan.slots(), reaches);
    }

    /**
     * Lets the calling thread, which is bound to its slot, use the slot's reach while the edge is open.
     *
     * @throws RuntimeException when the kernel refuses; the thread then stays in its slot
     */
    synchronized SlotThread enter(Slot slot) {
        SlotThread thread = new SlotThread(binder.currentThreadId(), slot.index());
        if (open[thread.slot]) {
            binder.setThreadCpus(reaches.get(thread.slot));
        }
        threads.put(thread.tid, thread);
        return thread;
    }

    @Override
    public List<Integer> groups() {
        return reaches.stream().map(reaches::indexOf).toList();
    }

    @Override
    public List<CpuSet> cpus() {
        return slots.stream().map(Slot::cpus).toList();
    }

    @Override
    public synchronized List<EdgeWatch.Holder> holders() {
        return threads.values().stream()
                .map(thread -> new EdgeWatch.Holder(thread.tid, List.of(thread.slot), thread.busy))
                .toList();
    }

    @Override
    public synchronized void change(int slot, boolean isOpen) {
        open[slot] = isOpen;
        CpuSet cpus = isOpen ? reaches.get(slot) : slots.get(slot).cpus();
        for (SlotThread thread : threads.values()) {
            if (thread.slot == slot) {
                binder.setThreadCpus(thread.tid, cpus);
            }
        }
    }

    @Override
    public void changed(EdgeChange change) {
        if (change.open() ? openedAgain : closedOnce) {
            return;
        }
        openedAgain |= change.open();
        closedOnce |= !change.open();
        LOG.info(
                "the edge of worker slot {} (CPUs {}) {}: its threads {}; further changes are not logged",
                change.slot(),
                slots.get(change.slot()).cpus(),
                change.open() ? "opens again" : "closes",
                change.reason());
    }

    @Override
    public void failed(String reason) {
        LOG.warn("{}; {}=hard binds worker threads to their slots all the same", reason, EngineSettings.EDGE);
    }
}
