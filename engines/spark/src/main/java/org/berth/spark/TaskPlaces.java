package org.berth.spark;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.TaskContext;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.binding.LocalMachine;
import org.berth.binding.MemoryPolicy;
import org.berth.binding.SlotAccounts;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.jspecify.annotations.Nullable;

/**
 * Binds the calling thread to a slot of a plan when it takes a task. Thread-safe.
 *
 * <p>Between tasks the thread stays where it is: it has nothing to do there but to send off a result and wait, and
 * without the way back and forth most tasks need one system call, the look whether the kernel still has our mask. That is
 * also why {@link org.berth.binding.ThreadPlaces} does not do: there a thread holds its slot for as long as it is bound,
 * and Spark's pool has more threads than tasks at a time.
 */
final class TaskPlaces {
    private final Binder binder;
    private final MemoryMode memory;
    private final String level;
    private final List<Slot> slots;
    private final SlotAccounts accounts;
    private final AtomicLong rebinds = new AtomicLong();
    private final Map<Thread, Place> held = new ConcurrentHashMap<>();

    /** Where a thread of the pool is, and how to undo its first binding. Slot and task are the thread's own. */
    private static final class Place {
        private volatile int slot;
        private volatile boolean runsTask;
        private volatile long task;
        private final BoundScope cpus;
        private @Nullable BoundScope memory;

        Place(int slot, BoundScope cpus) {
            this.slot = slot;
            this.cpus = cpus;
        }

        void restore() {
            try (cpus) {
                if (memory != null) {
                    memory.close();
                }
            }
        }
    }

    private TaskPlaces(Binder binder, MemoryMode memory, String level, List<Slot> slots) {
        this.binder = binder;
        this.memory = memory;
        this.level = level;
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
        return new TaskPlaces(machine.binder(), plan.memory(), plan.level().word(), slots);
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
     * Takes the least used slot, of several the one that the calling thread is in, and binds the calling thread to it.
     *
     * @return 0 when the slot was free; else how many tasks so far had to share, this one included
     * @throws RuntimeException when the thread cannot be bound; it then holds no slot and has its first CPUs again
     */
    long enter() {
        // A task whose end was not announced, as when the executor is stopping.
        leave();
        Thread self = Thread.currentThread();
        Place place = held.get(self);
        SlotAccounts.Taken taken = accounts.take(place == null ? 0 : place.slot);
        try {
            if (place == null) {
                place = firstBinding(taken.slot());
                held.keySet().removeIf(thread -> !thread.isAlive());
                held.put(self, place);
            } else {
                move(place, taken.slot());
            }
        } catch (RuntimeException e) {
            accounts.release(taken.slot());
            throw e;
        }
        TaskContext task = TaskContext.get();
        place.task = task == null ? -1 : task.taskAttemptId();
        place.runsTask = true;
        return taken.sharedSoFar();
    }

    private Place firstBinding(int index) {
        Place place = new Place(index, binder.bindThread(slots.get(index).cpus()));
        try {
            place.memory = bindMemory(index);
        } catch (RuntimeException e) {
            place.restore();
            throw e;
        }
        return place;
    }

    /** A new cpuset, or the task before, may have changed the mask of a thread that stays in its slot. */
    private void move(Place place, int index) {
        CpuSet cpus = slots.get(index).cpus();
        try {
            if (!binder.threadCpus().equals(cpus)) {
                rebinds.incrementAndGet();
                binder.bindThread(cpus);
            }
            if (place.slot != index) {
                bindMemory(index);
            }
            place.slot = index;
        } catch (RuntimeException e) {
            held.remove(Thread.currentThread());
            place.restore();
            throw e;
        }
    }

    private @Nullable BoundScope bindMemory(int index) {
        Slot slot = slots.get(index);
        return memory == MemoryMode.LOCAL || slot.memoryNodes().isEmpty()
                ? null
                : binder.bindMemory(new MemoryPolicy(memory, slot.memoryNodes()));
    }

    /** Gives the slot of the calling thread back; does nothing when it runs no task. */
    void leave() {
        Place place = held.get(Thread.currentThread());
        if (place != null && place.runsTask) {
            place.runsTask = false;
            accounts.release(place.slot);
        }
    }

    /**
     * Gives all threads that still live their first CPUs back. Not the memory policy, which no thread can change for
     * another; the pool that they belong to ends anyway.
     */
    void restoreAll() {
        RuntimeException failure = null;
        for (Place place : held.values()) {
            try {
                place.cpus.close();
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** For the driver, at this moment. */
    StatusPlaces status(long bindFailures) {
        List<List<Long>> running = new ArrayList<>();
        CpuSet cpus = CpuSet.empty();
        NodeSet nodes = NodeSet.empty();
        for (Slot slot : slots) {
            running.add(new ArrayList<>());
            cpus = cpus.union(slot.cpus());
            nodes = nodes.union(slot.memoryNodes());
        }
        for (Place place : held.values()) {
            if (place.runsTask) {
                running.get(place.slot).add(place.task);
            }
        }
        List<ExecutorStatus.TaskSlot> seen = new ArrayList<>();
        for (int i = 0; i < slots.size(); i++) {
            seen.add(new ExecutorStatus.TaskSlot(
                    i,
                    slots.get(i).cpus().toString(),
                    slots.get(i).memoryNodes().toString(),
                    running.get(i)));
        }
        return new StatusPlaces(
                level,
                "as the plan says",
                cpus,
                nodes,
                seen,
                accounts.taken(),
                accounts.shared(),
                rebinds.get(),
                bindFailures,
                List.of(),
                List.of());
    }

    /** How the slots were used, for the log. */
    String summary() {
        return slots.size() + " slots, " + accounts.taken() + " tasks, " + accounts.shared() + " of them shared a slot";
    }
}
