package org.berth.spark.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.berth.binding.Binder;
import org.berth.binding.BindingException;
import org.berth.binding.MemoryPolicy;
import org.berth.placement.MemoryMode;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * Binds the calling thread to a place of its own when it takes a task. Thread-safe.
 *
 * <p>At the end of a task the place is free for others, and the thread stays where it is until {@link #restoreIdle} finds
 * it without work: it has nothing to do there but to send off a result and wait, and without the way back and forth most
 * tasks need one system call, the look whether the kernel still has our mask. That is also why
 * {@link org.berth.binding.ThreadPlaces} does not do: there a thread holds its slot for as long as it is bound, and
 * Spark's pool has more threads than tasks at a time.
 */
public final class TaskPlaces {
    private volatile State state;
    private final Map<Thread, Place> held = new ConcurrentHashMap<>();
    private final AtomicLong tasks = new AtomicLong();
    private final AtomicLong shared = new AtomicLong();
    private final AtomicLong rebinds = new AtomicLong();

    /** What changes when the CPUs of the process change. Threads without a task are given the home. */
    private record State(Binder binder, SlotTable table, CpuSet home) {}

    /** A task that runs, and the numbers of its places; none when Spark gave it CPUs. */
    public record Running(long taskId, List<Integer> units, CpuSet cpus) {}

    /** Where a thread of the pool is; its own lock, because the cpuset may change while it takes a task. */
    private static final class Place {
        private final Thread thread = Thread.currentThread();
        private final int tid;
        private @Nullable SlotTable table;
        private SlotTable.@Nullable Taken taken;
        private boolean runsTask;
        private boolean bound;
        private boolean seenIdle;
        private long taskId;

        Place(int tid) {
            this.tid = tid;
        }

        void leave() {
            if (runsTask && table != null && taken != null) {
                table.release(taken);
            }
            runsTask = false;
            seenIdle = false;
        }
    }

    TaskPlaces(Binder binder, SlotTable table, CpuSet home) {
        this.state = new State(binder, table, home);
    }

    /**
     * Takes places for a task and binds the calling thread to them.
     *
     * @param taskId only kept to be shown
     * @param cpus how many the task counts for
     * @param given the CPUs that Spark gave this task; null takes the least used ones here
     * @return 0 when they were free; else how many tasks so far had to share, this one included
     * @throws RuntimeException when the thread cannot be bound; it then holds no place
     */
    public long enter(long taskId, int cpus, @Nullable CpuSet given) {
        Place place = held.get(Thread.currentThread());
        if (place == null) {
            held.keySet().removeIf(thread -> !thread.isAlive());
            place = new Place(state.binder.currentThreadId());
            held.put(place.thread, place);
        }
        synchronized (place) {
            // A task whose end was not announced, as when the executor is stopping.
            place.leave();
            State now = state;
            SlotTable.Taken taken = given != null
                    ? SlotTable.Taken.given(given)
                    : now.table.take(cpus, place.table == now.table ? place.taken : null);
            try {
                bind(now, place, taken);
            } catch (RuntimeException e) {
                now.table.release(taken);
                held.remove(place.thread);
                throw e;
            }
            place.table = now.table;
            place.taken = taken;
            place.taskId = taskId;
            place.runsTask = true;
            tasks.incrementAndGet();
            return taken.shared() ? shared.incrementAndGet() : 0;
        }
    }

    /** A new cpuset, or the task before, may have changed the mask of a thread that stays in its place. */
    private void bind(State now, Place place, SlotTable.Taken taken) {
        SlotTable.Taken before = place.taken;
        if (!now.binder.threadCpus().equals(taken.cpus())) {
            now.binder.bindThread(taken.cpus());
            if (place.bound) {
                rebinds.incrementAndGet();
            }
        }
        place.bound = true;
        MemoryMode memory = now.table.memory();
        boolean same = before != null && before.nodes().equals(taken.nodes());
        if (memory != MemoryMode.LOCAL && !taken.nodes().isEmpty() && !same) {
            now.binder.bindMemory(new MemoryPolicy(memory, taken.nodes()));
        }
    }

    /** Gives the places of the calling thread back; does nothing when it runs no task. */
    public void leave() {
        Place place = held.get(Thread.currentThread());
        if (place != null) {
            synchronized (place) {
                place.leave();
            }
        }
    }

    /**
     * Gives the executor's CPUs back to threads that had no task at this call and the one before it. Not the memory
     * policy, which no thread can change for another.
     *
     * @throws RuntimeException when the kernel refuses; the other threads are restored all the same
     */
    void restoreIdle() {
        forEach(place -> {
            if (!place.runsTask && place.seenIdle) {
                restore(place);
            }
            place.seenIdle = !place.runsTask;
        });
    }

    /** As {@link #restoreIdle}, of all threads that still live, whatever they do. */
    void restoreAll() {
        forEach(this::restore);
    }

    private void restore(Place place) {
        if (place.bound) {
            place.bound = false;
            move(state.binder, place, state.home);
        }
    }

    /** A thread of the pool may end at any moment: an executor that stops ends them all before it stops its plugins. */
    private static void move(Binder binder, Place place, CpuSet cpus) {
        if (place.thread.isAlive()) {
            try {
                binder.setThreadCpus(place.tid, cpus);
            } catch (BindingException e) {
                if (place.thread.isAlive()) {
                    throw e;
                }
            }
        }
    }

    /**
     * Goes over to other CPUs: tasks that run move at once.
     *
     * @throws RuntimeException when a thread cannot be bound; the others are
     */
    void replace(Binder binder, SlotTable table, CpuSet home) {
        State next = new State(binder, table, home);
        state = next;
        forEach(place -> {
            SlotTable.Taken taken = place.taken;
            if (place.runsTask && taken != null && place.table != null && place.thread.isAlive()) {
                place.table.release(taken);
                place.taken = !taken.isGiven()
                        ? table.take(taken.wanted(), null)
                        : SlotTable.Taken.given(
                                taken.cpus().intersects(home) ? taken.cpus().intersection(home) : home);
                place.table = table;
                move(binder, place, place.taken.cpus());
                rebinds.incrementAndGet();
            } else {
                restore(place);
            }
        });
    }

    private void forEach(Consumer<Place> action) {
        RuntimeException failure = null;
        for (Place place : held.values()) {
            synchronized (place) {
                try {
                    action.accept(place);
                } catch (RuntimeException e) {
                    failure = e;
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The tasks that run at this moment. */
    public List<Running> running() {
        List<Running> result = new ArrayList<>();
        forEach(place -> {
            if (place.runsTask && place.taken != null) {
                result.add(new Running(place.taskId, place.taken.units(), place.taken.cpus()));
            }
        });
        return result;
    }

    /** The CPUs of each place. */
    public List<CpuSet> units() {
        return state.table.cpus();
    }

    /** How many tasks were bound. */
    public long tasks() {
        return tasks.get();
    }

    /** How many of them shared their places. */
    public long shared() {
        return shared.get();
    }

    /** How often a thread that had a place was bound to another one, or once more. */
    public long rebinds() {
        return rebinds.get();
    }

    /** How the places were used, for the log. */
    public String summary() {
        return units().size() + " slots, " + tasks + " tasks, " + shared + " of them shared a slot";
    }
}
