package org.berth.spark;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.binding.LocalMachine;
import org.berth.binding.MemoryPolicy;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/** Binds the calling thread to a slot of a plan for as long as it runs a task. Thread-safe. */
final class TaskPlaces {
    private final Binder binder;
    private final MemoryMode memory;
    private final List<Slot> slots;
    private final SlotAccounts accounts;
    private final Map<Thread, Place> held = new ConcurrentHashMap<>();
    private final ThreadLocal<Integer> last = ThreadLocal.withInitial(() -> 0);

    /** A task's slot and how to undo the binding. */
    private record Place(
            int slot, BoundScope cpus, @Nullable BoundScope memory) {
        void restore() {
            try (cpus) {
                if (memory != null) {
                    memory.close();
                }
            }
        }
    }

    private TaskPlaces(Binder binder, MemoryMode memory, List<Slot> slots) {
        this.binder = binder;
        this.memory = memory;
        this.slots = slots;
        this.accounts = new SlotAccounts(slots.size());
    }

    /**
     * Reads the plan and checks that this process may use all of it.
     *
     * @throws IllegalStateException one line, when it cannot be read or does not fit this process
     * @throws RuntimeException one line, when it is no plan or this machine cannot bind
     */
    static TaskPlaces open(String planFile) {
        PlacementPlan plan = PlacementPlan.parse(read(planFile));
        List<Slot> slots = plan.slots().stream()
                .filter(slot -> slot.role().equals(Slot.TASK))
                .toList();
        if (slots.isEmpty()) {
            throw new IllegalStateException("the plan " + planFile + " has no slot with role " + Slot.TASK);
        }
        LocalMachine machine = LocalMachine.open();
        CpuSet allowed = machine.topology().allowedCpuSet();
        for (Slot slot : slots) {
            if (!allowed.containsAll(slot.cpus())) {
                throw new IllegalStateException("the plan " + planFile + " puts slot " + slot.index() + " on CPUs "
                        + slot.cpus() + ", and this process may use CPUs " + allowed
                        + " only; make the plan for this machine and process");
            }
        }
        return new TaskPlaces(machine.binder(), plan.memory(), slots);
    }

    private static String read(String planFile) {
        if (planFile.isEmpty()) {
            throw new IllegalStateException("no plan is given; set " + AffinityPlugin.PLAN + "=FILE");
        }
        String reason;
        try {
            return Files.readString(Path.of(planFile));
        } catch (NoSuchFileException e) {
            reason = "there is no such file";
        } catch (AccessDeniedException e) {
            reason = "permission denied";
        } catch (IOException | IllegalArgumentException e) {
            reason = e.toString();
        }
        throw new IllegalStateException(
                "cannot read the plan " + planFile + ": " + reason + "; correct " + AffinityPlugin.PLAN);
    }

    /**
     * Takes the least used slot, of several the one that the calling thread had before, and binds the calling thread to it.
     *
     * @return 0 when the slot was free; else how many tasks so far had to share, this one included
     * @throws RuntimeException when the thread cannot be bound; it then holds no slot and is as it was
     */
    long enter() {
        // A task whose end was not announced, as when the executor is stopping.
        leave();
        SlotAccounts.Taken taken = accounts.take(last.get());
        last.set(taken.slot());
        try {
            held.put(Thread.currentThread(), bind(taken.slot()));
        } catch (RuntimeException e) {
            accounts.release(taken.slot());
            throw e;
        }
        return taken.sharedSoFar();
    }

    private Place bind(int index) {
        Slot slot = slots.get(index);
        BoundScope cpus = binder.bindThread(slot.cpus());
        if (memory == MemoryMode.LOCAL || slot.memoryNodes().isEmpty()) {
            return new Place(index, cpus, null);
        }
        try {
            return new Place(index, cpus, binder.bindMemory(new MemoryPolicy(memory, slot.memoryNodes())));
        } catch (RuntimeException e) {
            cpus.close();
            throw e;
        }
    }

    /** Gives the slot back and restores the calling thread; does nothing when it holds none. */
    void leave() {
        Place place = held.remove(Thread.currentThread());
        if (place != null) {
            accounts.release(place.slot());
            place.restore();
        }
    }

    /** How the slots were used, for the log. */
    String summary() {
        return slots.size() + " slots, " + accounts.taken() + " tasks, " + accounts.shared() + " of them shared a slot";
    }
}
