package org.berth.binding;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.jspecify.annotations.Nullable;

/**
 * Places for threads that come by themselves: each asks for its own, {@link #place()}, and is bound once.
 *
 * <p>For thread pools whose threads are nowhere to be named. A thread that has its place asks again in about a
 * nanosecond and without a system call, so it may ask before every piece of work. Where there are more threads than
 * slots, slots are shared evenly. Thread-safe.
 */
public final class ThreadPlaces {
    private final Binder binder;
    private final MemoryMode memory;
    private final List<Slot> slots;
    private final SlotAccounts accounts;

    @SuppressWarnings("ThreadLocalUsage") // a thread may have a place in each of several objects
    private final ThreadLocal<@Nullable Place> own = new ThreadLocal<>();

    /**
     * Who holds a slot. A thread that ends without a release gives it back all the same: the next one that needs a slot
     * looks who has ended, which costs nothing while nobody needs one, and no thread of our own. The references are weak,
     * and the places themselves belong to their threads alone, so that nothing here keeps a thread or its class loader.
     */
    private final Set<Holder> holders = ConcurrentHashMap.newKeySet();

    /** Each is another one: equality is identity. */
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
    private record Place(
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

    private ThreadPlaces(Binder binder, MemoryMode memory, List<Slot> slots) {
        this.binder = binder;
        this.memory = memory;
        this.slots = slots;
        this.accounts = new SlotAccounts(slots.size());
    }

    /**
     * Over all slots of a plan with the role {@link Slot#TASK}; new memory follows as the plan says.
     *
     * @throws IllegalArgumentException when the plan has no such slot
     * @throws BindingException when a slot has CPUs that this process may not use
     */
    public static ThreadPlaces of(Binder binder, PlacementPlan plan) {
        return of(binder, plan.memory(), plan.slots());
    }

    /**
     * Over those of the slots that have the role {@link Slot#TASK}, such as one worker's.
     *
     * @param memory how new memory of a thread follows to the nodes of its slot
     * @throws IllegalArgumentException when there is no such slot
     * @throws BindingException when a slot has CPUs that this process may not use
     */
    public static ThreadPlaces of(Binder binder, MemoryMode memory, List<Slot> slots) {
        List<Slot> tasks =
                slots.stream().filter(slot -> slot.role().equals(Slot.TASK)).toList();
        if (tasks.isEmpty()) {
            throw new IllegalArgumentException("none of " + slots.size() + " slots has the role " + Slot.TASK);
        }
        tasks.forEach(slot -> binder.requireAllowed(slot.cpus(), "threads of slot " + slot.index()));
        return new ThreadPlaces(binder, memory, tasks);
    }

    /**
     * The slot of the calling thread. The first time it takes the one with the fewest threads, binds the thread to its
     * CPUs, and its new memory to the nodes when the plan says so, and verifies both.
     *
     * @throws BindingException when the thread is virtual or cannot be bound; it then holds no slot and is as before
     */
    public Slot place() {
        Place place = own.get();
        return place == null ? take() : place.slot();
    }

    private Slot take() {
        PlatformThreads.requirePlatform("bind", "the calling thread");
        for (Holder holder : holders) {
            if (holder.hasEnded()) {
                giveBack(holder);
            }
        }
        Holder holder = new Holder(accounts.take(0).slot());
        holders.add(holder);
        try {
            Place place = bind(slots.get(holder.slot), holder);
            own.set(place);
            return place.slot();
        } catch (RuntimeException e) {
            giveBack(holder);
            throw e;
        }
    }

    private Place bind(Slot slot, Holder holder) {
        BoundScope cpus = binder.bindThread(slot.cpus());
        try {
            BoundScope nodes = memory == MemoryMode.LOCAL || slot.memoryNodes().isEmpty()
                    ? null
                    : binder.bindMemory(new MemoryPolicy(memory, slot.memoryNodes()));
            return new Place(slot, holder, cpus, nodes);
        } catch (RuntimeException e) {
            try (cpus) {
                throw e;
            }
        }
    }

    /** Two threads may see the same end; one of them removes. */
    private void giveBack(Holder holder) {
        if (holders.remove(holder)) {
            accounts.release(holder.slot);
        }
    }

    /**
     * Gives the calling thread the CPUs and the memory policy back that it had before, and its slot to the next one. Does
     * nothing when it holds none.
     *
     * @throws BindingException when the former state cannot be restored; the thread then keeps its place, and may try again
     */
    public void release() {
        Place place = own.get();
        if (place != null) {
            place.restore();
            own.remove();
            giveBack(place.holder());
        }
    }
}
