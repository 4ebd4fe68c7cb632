package org.berth.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.ids.PlatformThreads;
import org.berth.binding.internal.jvm.WholeDomain;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * Binds the threads of a pool, each to a slot: a CPU, a core or any other set of CPUs.
 *
 * <pre>{@code
 * try (SlotBinder slots = SlotBinder.ofCores(machine)) {
 *     ExecutorService pool = Executors.newFixedThreadPool(slots.size(), slots.threadFactory(base));
 * }}</pre>
 *
 * <p>A {@link #threadFactory} binds each thread at its start; so do {@link #wrap} for threads that others start and
 * {@link #forkJoinThreadFactory}. Where threads cannot be changed, a task may call {@link #bind()}: a bound thread asks again in
 * about a nanosecond and without a system call. Threads that outnumber the slots share them evenly, and no thread gets a PU of a
 * core that another thread has while a slot on a free core is left.
 *
 * <p>From the first bound thread to {@link #close()} every thread of the JVM has the number of processors that a thread without a slot
 * has ({@code Runtime.availableProcessors()}), and a process that a bound thread starts, or a thread that it starts otherwise than by
 * such a factory, may use all CPUs of this process. Where a JVM does not allow that, a warning of {@link System.Logger} says what to add.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class SlotBinder implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SlotBinder.class.getName());

    private final Binder binder;
    private final MemoryMode memory;
    private final List<Slot> slots;
    private final SlotHolders holders;

    @SuppressWarnings("ThreadLocalUsage") // a thread may have a slot of each of several objects
    private final ThreadLocal<@Nullable Held> own = new ThreadLocal<>();

    private final AtomicBoolean reported = new AtomicBoolean();
    private final AtomicReference<@Nullable WholeDomain> whole = new AtomicReference<>();
    private volatile boolean closed;

    /** What a thread had before it held a slot; the policy only where slots have one. */
    private record Former(CpuSet cpus, @Nullable MemoryPolicy memory) {}

    /** Seen by its own thread only. */
    private record Held(
            Slot slot,
            SlotHolders.Holder holder,
            @Nullable Former former,
            BoundScope cpus,
            @Nullable BoundScope memory) {
        void restore() {
            try (cpus) {
                if (memory != null) {
                    memory.close();
                }
            }
        }
    }

    private SlotBinder(Binder binder, MemoryMode memory, List<Slot> slots) {
        this.binder = binder;
        this.memory = memory;
        this.slots = slots;
        this.holders = new SlotHolders(slots.stream().map(Slot::cpus).toList(), binder.allowedCores());
    }

    /**
     * Binds to all slots of a plan with the role {@link Slot#TASK}; new memory follows as the plan says.
     *
     * @throws IllegalArgumentException when the plan has no such slot
     * @throws BindingException when a slot has CPUs that this process may not use
     */
    public static SlotBinder of(Binder binder, PlacementPlan plan) {
        return of(binder, plan.memory(), plan.slots());
    }

    /**
     * Binds to those of the slots that have the role {@link Slot#TASK}, such as the slots of one worker.
     *
     * @param memory how new memory of a thread follows to the nodes of its slot
     * @throws IllegalArgumentException when there is no such slot
     * @throws BindingException when a slot has CPUs that this process may not use
     */
    public static SlotBinder of(Binder binder, MemoryMode memory, List<Slot> slots) {
        List<Slot> tasks =
                slots.stream().filter(slot -> slot.role().equals(Slot.TASK)).toList();
        if (tasks.isEmpty()) {
            throw new IllegalArgumentException("none of " + slots.size() + " slots has the role " + Slot.TASK);
        }
        tasks.forEach(slot ->
                BindingException.requireAllowed(slot.cpus(), binder.allowedCpus(), "threads of slot " + slot.index()));
        return new SlotBinder(binder, memory, tasks);
    }

    /**
     * Binds to the cores that this process may use, a thread to each, with all PUs of the core that are allowed. New memory of the
     * threads goes where the kernel puts it, which is near.
     */
    public static SlotBinder ofCores(LocalMachine machine) {
        return ofCores(machine, machine.topology().allowedCpuSet());
    }

    /**
     * Binds to the cores of a part of the machine, such as that of a lease.
     *
     * @param within kernel numbers of CPUs
     * @throws BindingException when this process may use none of them
     */
    public static SlotBinder ofCores(LocalMachine machine, CpuSet within) {
        List<Slot> slots = new ArrayList<>();
        for (CpuSet core : machine.topology().allowedCores()) {
            CpuSet cpus = core.intersection(within);
            if (!cpus.isEmpty()) {
                slots.add(Slot.of(slots.size(), cpus)
                        .withMemoryNodes(machine.topology().nodesOf(cpus))
                        .withReason("a core of its own"));
            }
        }
        Binder binder = machine.binder();
        if (slots.isEmpty()) {
            BindingException.requireAllowed(within, binder.allowedCpus(), "threads");
        }
        return of(binder, MemoryMode.LOCAL, slots);
    }

    /** The number of slots, which is that of threads of a pool without sharing. */
    public int size() {
        return slots.size();
    }

    /** The slots, by the number that {@link #bindTo(int)} takes. */
    public List<Slot> slots() {
        return slots;
    }

    /**
     * A factory whose threads are bound, each to the slot that is used least when it is made: the first thread has slot 0. It releases
     * the slot when it ends. A thread that cannot be bound runs unbound, and the first one is a warning of {@link System.Logger}.
     *
     * @param base makes the threads, without starting them; a virtual thread is an IllegalArgumentException
     */
    public ThreadFactory threadFactory(ThreadFactory base) {
        return task -> made(SlotHolders.ANY, base, task);
    }

    /**
     * A factory whose threads are bound to one slot, as for one event loop of several.
     *
     * @param slot its number in {@link #slots()}
     * @throws IndexOutOfBoundsException when there is no such slot
     */
    public ThreadFactory threadFactory(int slot, ThreadFactory base) {
        Objects.checkIndex(slot, slots.size());
        return task -> made(slot, base, task);
    }

    private @Nullable Thread made(int slot, ThreadFactory base, Runnable task) {
        AtomicReference<SlotHolders.@Nullable Holder> reserved = new AtomicReference<>();
        Former starter = formerOfStarter();
        Thread thread = base.newThread(() -> {
            giveUp(starter);
            runBound(slot, reserved.get(), task);
        });
        if (thread == null) {
            return null;
        }
        if (PlatformThreads.isVirtual(thread)) {
            throw new IllegalArgumentException(
                    "the base factory makes virtual threads, which cannot be bound: bind the platform threads that carry them");
        }
        if (!closed) {
            reserved.set(holders.add(thread, slot));
        }
        return thread;
    }

    /** A factory for a {@link ForkJoinPool}, whose threads are bound as those of {@link #threadFactory(ThreadFactory)}. */
    public ForkJoinPool.ForkJoinWorkerThreadFactory forkJoinThreadFactory() {
        return pool -> new BoundWorker(pool, this);
    }

    /** The same task with its thread bound while it runs; unbound, with a warning, where that cannot be. */
    public Runnable wrap(Runnable task) {
        return () -> runBound(SlotHolders.ANY, null, task);
    }

    /** The kernel gives a new thread the mask and the policy of the one that starts it, which here may hold a slot. */
    private @Nullable Former formerOfStarter() {
        Held starter = own.get();
        return starter == null ? null : starter.former();
    }

    /** Gives up the slot of the thread that has started this one. */
    private void giveUp(@Nullable Former starter) {
        if (starter == null) {
            return;
        }
        try {
            binder.setThreadCpusUnverified(starter.cpus());
            if (starter.memory() != null) {
                // For good: this is what the thread would have had.
                binder.bindMemory(starter.memory());
            }
        } catch (BindingException e) {
            report(e, "keeps the CPUs of the thread that started it");
        }
    }

    private void runBound(int slot, SlotHolders.@Nullable Holder reserved, Runnable task) {
        boolean outer = own.get() != null;
        boundOrReported(slot, reserved);
        try {
            task.run();
        } finally {
            if (!outer) {
                releasedOrReported();
            }
        }
    }

    private void boundOrReported(int slot, SlotHolders.@Nullable Holder reserved) {
        try {
            hold(slot, reserved);
        } catch (BindingException | IllegalStateException e) {
            report(e, "runs unbound");
        }
    }

    private void releasedOrReported() {
        try {
            release();
        } catch (BindingException e) {
            report(e, "keeps its CPUs");
        }
    }

    private void report(RuntimeException e, String consequence) {
        if (reported.compareAndSet(false, true)) {
            LOG.log(System.Logger.Level.WARNING, "berth: " + threadName() + " " + consequence + ": " + e.getMessage());
        }
    }

    /** Virtual threads mostly have no name. */
    private static String threadName() {
        Thread thread = Thread.currentThread();
        return thread.getName().isEmpty() ? thread.toString() : "thread " + thread.getName();
    }

    /** Gives a slot to its thread for its life. */
    private static final class BoundWorker extends ForkJoinWorkerThread {
        private final SlotBinder slots;
        private final @Nullable Former starter;

        BoundWorker(ForkJoinPool pool, SlotBinder slots) {
            super(pool);
            this.slots = slots;
            this.starter = slots.formerOfStarter();
        }

        @Override
        protected void onStart() {
            super.onStart();
            slots.giveUp(starter);
            slots.boundOrReported(SlotHolders.ANY, null);
        }

        @Override
        protected void onTermination(@Nullable Throwable failure) {
            slots.releasedOrReported();
            super.onTermination(failure);
        }
    }

    /**
     * The slot of the calling thread. The first time it takes the one whose CPUs, then whose core, have the fewest threads, binds the thread to its
     * CPUs, and its new memory to the nodes when the plan asks for it, and verifies both.
     *
     * @throws BindingException when the thread is virtual or cannot be bound; it then holds no slot and is as before
     */
    public Slot bind() {
        return hold(SlotHolders.ANY, null);
    }

    /**
     * Binds the calling thread to one slot, even if other threads have it.
     *
     * @param slot its number in {@link #slots()}
     * @throws IndexOutOfBoundsException when there is no such slot
     * @throws IllegalStateException when the thread holds another one: {@link #release()} it first; or this is closed
     * @throws BindingException as {@link #bind()}
     */
    public Slot bindTo(int slot) {
        Objects.checkIndex(slot, slots.size());
        Slot bound = hold(slot, null);
        if (!bound.equals(slots.get(slot))) {
            throw new IllegalStateException("this thread holds slot " + slots.indexOf(bound) + "; release it first");
        }
        return bound;
    }

    private Slot hold(int slot, SlotHolders.@Nullable Holder reserved) {
        if (closed) {
            throw new IllegalStateException("this SlotBinder is closed");
        }
        Held held = own.get();
        return held == null ? take(slot, reserved) : held.slot();
    }

    private Slot take(int wanted, SlotHolders.@Nullable Holder reserved) {
        PlatformThreads.requirePlatform("bind", "the calling thread");
        // A factory's thread has the reserved slot unless close() has given that back meanwhile.
        SlotHolders.Holder holder =
                reserved != null && holders.contains(reserved) ? reserved : holders.add(Thread.currentThread(), wanted);
        try {
            Held held = bind(slots.get(holder.slot()), holder);
            holder.isBoundBy(held.cpus());
            own.set(held);
            if (closed) {
                release();
                throw new IllegalStateException("this SlotBinder is closed");
            }
            return held.slot();
        } catch (RuntimeException e) {
            holders.remove(holder);
            throw e;
        }
    }

    /** A pool that is made in a bound thread has its size for life. */
    private void holdDomain() {
        if (binder instanceof LocalBinder && whole.get() == null) {
            WholeDomain held = WholeDomain.hold(binder.allowedCpus());
            if (whole.compareAndSet(null, held)) {
                held.note().ifPresent(note -> LOG.log(System.Logger.Level.WARNING, "berth: " + note));
            } else {
                held.close();
            }
        }
    }

    private Held bind(Slot slot, SlotHolders.Holder holder) {
        holdDomain();
        Former former = former();
        BoundScope cpus = binder.bindThread(slot.cpus());
        try {
            BoundScope nodes = memory == MemoryMode.LOCAL || slot.memoryNodes().isEmpty()
                    ? null
                    : binder.bindMemory(new MemoryPolicy(memory, slot.memoryNodes()));
            return new Held(slot, holder, former, cpus, nodes);
        } catch (RuntimeException e) {
            try (cpus) {
                throw e;
            }
        }
    }

    private @Nullable Former former() {
        try {
            return new Former(binder.threadCpus(), memory == MemoryMode.LOCAL ? null : binder.memoryPolicy());
        } catch (BindingException nothingIsBoundHere) {
            return null;
        }
    }

    /**
     * Restores the previous CPUs and memory policy of the calling thread, and releases its slot. Does nothing when it
     * holds none.
     *
     * @throws BindingException when the former state cannot be restored; the thread then keeps its slot, and may try again
     */
    public void release() {
        Held held = own.get();
        if (held != null) {
            held.restore();
            own.remove();
            holders.remove(held.holder());
        }
    }

    /**
     * Gives every thread that holds a slot its former CPUs back, whatever it does now; after that no thread gets a slot. The memory
     * policy of a thread, which the kernel lets no other thread change, is restored when the thread calls {@link #release()} or
     * ends.
     *
     * @throws BindingException for the first thread whose CPUs cannot be restored, after all others; the rest is suppressed in it
     */
    @Override
    public void close() {
        closed = true;
        WholeDomain held = whole.getAndSet(null);
        if (held != null) {
            held.close();
        }
        holders.close();
    }
}
