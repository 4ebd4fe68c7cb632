package org.berth.binding;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.ids.PlatformThreads;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.jspecify.annotations.Nullable;

/**
 * Gives each thread that asks, {@link #bind()}, a slot of a plan and binds it there once.
 *
 * <p>For thread pools whose threads cannot be named beforehand. A bound thread asks again in about a nanosecond and
 * without a system call, so it may ask before every piece of work. Threads that outnumber the slots share them evenly,
 * and no thread gets a PU of a core that another thread has while a slot on a free core is left. Thread-safe.
 *
 * @since 0.1.0
 */
public final class SlotBinder {
    private final Binder binder;
    private final MemoryMode memory;
    private final List<Slot> slots;
    private final SlotUse use;

    @SuppressWarnings("ThreadLocalUsage") // a thread may have a slot of each of several objects
    private final ThreadLocal<@Nullable Held> own = new ThreadLocal<>();

    /**
     * The threads that hold a slot. One that ends without a release gives it back all the same: the next thread that needs
     * a slot looks for those that have ended, so no thread of our own is needed. The references are weak, and the scopes
     * belong to their threads alone, so that nothing here keeps a thread or its class loader.
     */
    private final Set<Holder> holders = ConcurrentHashMap.newKeySet();

    /** Compared by identity. */
    private static final class Holder {
        private final WeakReference<Thread> thread = new WeakReference<>(Thread.currentThread());
        private final int slot;

        Holder(int slot) {
            this.slot = slot;
        }

        boolean hasEnded() {
            Thread living = thread.get();
            return living == null || !living.isAlive();
        }
    }

    /** Seen by its own thread only. */
    private record Held(
            Slot slot,
            Holder holder,
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
        this.use = new SlotUse(slots.stream().map(Slot::cpus).toList(), binder.cores());
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
        tasks.forEach(slot -> binder.requireAllowed(slot.cpus(), "threads of slot " + slot.index()));
        return new SlotBinder(binder, memory, tasks);
    }

    /**
     * The slot of the calling thread. The first time it takes the one whose CPUs, then whose core, have the fewest threads, binds the thread to its
     * CPUs, and its new memory to the nodes when the plan asks for it, and verifies both.
     *
     * @throws BindingException when the thread is virtual or cannot be bound; it then holds no slot and is as before
     */
    public Slot bind() {
        Held held = own.get();
        return held == null ? take() : held.slot();
    }

    private Slot take() {
        PlatformThreads.requirePlatform("bind", "the calling thread");
        for (Holder holder : holders) {
            if (holder.hasEnded()) {
                giveBack(holder);
            }
        }
        Holder holder = new Holder(use.take());
        holders.add(holder);
        try {
            Held held = bind(slots.get(holder.slot), holder);
            own.set(held);
            return held.slot();
        } catch (RuntimeException e) {
            giveBack(holder);
            throw e;
        }
    }

    private Held bind(Slot slot, Holder holder) {
        BoundScope cpus = binder.bindThread(slot.cpus());
        try {
            BoundScope nodes = memory == MemoryMode.LOCAL || slot.memoryNodes().isEmpty()
                    ? null
                    : binder.bindMemory(new MemoryPolicy(memory, slot.memoryNodes()));
            return new Held(slot, holder, cpus, nodes);
        } catch (RuntimeException e) {
            try (cpus) {
                throw e;
            }
        }
    }

    /** Two threads may see the same end; one of them removes. */
    private void giveBack(Holder holder) {
        if (holders.remove(holder)) {
            use.release(holder.slot);
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
            giveBack(held.holder());
        }
    }
}
