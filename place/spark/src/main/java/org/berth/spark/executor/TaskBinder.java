package org.berth.spark.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.berth.binding.Binder;
import org.berth.binding.MemoryPolicy;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.guard.GuardedSlots;
import org.berth.placement.MemoryMode;
import org.berth.placement.internal.guard.SlotWidths;
import org.berth.spark.settings.CpuAmount;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * Binds the calling thread to slots of its own when it starts a task. Thread-safe.
 *
 * <p>When the task ends its slots are free for others, and the thread stays bound until {@link #restoreIdle} finds it
 * idle: all it does there is to send off a result and wait, and most tasks then need one system call only, which checks
 * that the kernel still has the mask. That is also why {@link org.berth.binding.SlotBinder} does not suit: there a thread
 * has its slot for as long as it is bound, and Spark's pool has more threads than tasks run at a time.
 */
public final class TaskBinder implements GuardedSlots.Threads {
    private volatile State state;
    private final Map<Thread, PoolThread> threads = new ConcurrentHashMap<>();
    private final AtomicLong tasks = new AtomicLong();
    private final AtomicLong tasksSeen = new AtomicLong();
    private final AtomicLong shared = new AtomicLong();
    private final AtomicLong rebinds = new AtomicLong();

    /**
     * What changes when the CPUs of the process change, or when slots widen. Idle threads get all CPUs of the domain.
     *
     * @param width how many steps tasks may use beyond their slots
     */
    private record State(Binder binder, SlotTable table, CpuSet domain, SlotWidths widths, int width) {
        CpuSet around(SlotTable.Assignment assignment) {
            return assignment.isGiven() ? assignment.cpus() : widths.around(assignment.cpus(), width);
        }
    }

    /** A task that runs, and the numbers of its slots; none when Spark chose its CPUs. */
    public record RunningTask(long taskId, List<Integer> slots, CpuSet cpus) {
        /** Whether it runs on that slot; CPUs that Spark chose occupy each slot that they intersect. */
        public boolean occupies(int slot, CpuSet slotCpus) {
            return slots.contains(slot) || (slots.isEmpty() && cpus.intersects(slotCpus));
        }
    }

    /** What a thread of Spark's pool has; its own lock, because the cpuset may change while it starts a task. */
    private static final class PoolThread {
        private final Thread thread;
        private final int tid;
        private @Nullable SlotTable table;
        private SlotTable.@Nullable Assignment assignment;
        private volatile boolean runsTask;
        private boolean bound;
        private boolean wasIdle;
        private long taskId;

        PoolThread(Thread thread, int tid) {
            this.thread = thread;
            this.tid = tid;
        }

        /** A thread whose tasks are not bound any more has no task here, and counts as idle. */
        void leave() {
            if (runsTask && table != null && assignment != null) {
                table.release(assignment);
            }
            wasIdle &= !runsTask;
            runsTask = false;
        }
    }

    /** @param widths how slots may grow; they have none of these steps until {@link #widen} is called */
    TaskBinder(Binder binder, SlotTable table, CpuSet domain, SlotWidths widths) {
        this.state = new State(binder, table, domain, widths, 0);
    }

    /**
     * Takes slots for a task and binds the calling thread to them.
     *
     * @param taskId only kept to be shown
     * @param cpus what the task counts for, as {@link CpuAmount} has it
     * @param given the CPUs that Spark gave this task; null takes the least used slots
     * @return 0 when they were free; else how many tasks so far had to share, this one included
     * @throws RuntimeException when the thread cannot be bound; it then has no slot
     */
    public long enter(long taskId, long cpus, @Nullable CpuSet given) {
        PoolThread caller = threads.get(Thread.currentThread());
        if (caller == null) {
            threads.keySet().removeIf(thread -> !thread.isAlive());
            caller = new PoolThread(Thread.currentThread(), state.binder.currentThreadId());
            threads.put(caller.thread, caller);
        }
        synchronized (caller) {
            // Spark does not announce the end of a task when the executor is stopping.
            caller.leave();
            State now = state;
            SlotTable.Assignment assignment = given != null
                    ? SlotTable.Assignment.given(given)
                    : now.table.take(cpus, caller.table == now.table ? caller.assignment : null);
            try {
                bind(now, caller, assignment);
            } catch (RuntimeException e) {
                now.table.release(assignment);
                threads.remove(caller.thread);
                throw e;
            }
            return begin(now, caller, assignment, taskId);
        }
    }

    private long begin(State now, PoolThread thread, SlotTable.Assignment assignment, long taskId) {
        thread.table = now.table;
        thread.assignment = assignment;
        thread.taskId = taskId;
        thread.wasIdle = false;
        thread.runsTask = true;
        tasks.incrementAndGet();
        return assignment.shared() ? shared.incrementAndGet() : 0;
    }

    /**
     * The same for a task that began on another thread before there was this binder.
     *
     * @param runs whether it still does; its end is reported after this has become false
     * @throws RuntimeException when the thread cannot be bound; it then has no slot
     */
    public void adopt(Thread thread, long taskId, long cpus, @Nullable CpuSet given, BooleanSupplier runs) {
        PoolThread adopted = new PoolThread(thread, state.binder.threadId(thread));
        synchronized (adopted) {
            // A thread that is there has the next task, and has entered itself.
            if (threads.putIfAbsent(thread, adopted) != null) {
                return;
            }
            if (!runs.getAsBoolean()) {
                threads.remove(thread);
                return;
            }
            State now = state;
            SlotTable.Assignment assignment =
                    given != null ? SlotTable.Assignment.given(given) : now.table.take(cpus, null);
            try {
                rebind(now.binder, adopted, now.around(assignment));
            } catch (RuntimeException e) {
                now.table.release(assignment);
                threads.remove(thread);
                throw e;
            }
            adopted.bound = true;
            begin(now, adopted, assignment, taskId);
        }
    }

    /** A new cpuset, or the task before, may have changed the mask of a thread that keeps its slots: the kernel is asked. */
    private void bind(State now, PoolThread caller, SlotTable.Assignment assignment) {
        SlotTable.Assignment before = caller.assignment;
        if (now.binder.bindThreadForGood(now.around(assignment)) && caller.bound) {
            rebinds.incrementAndGet();
        }
        caller.bound = true;
        MemoryMode memory = now.table.memory();
        boolean same = before != null && before.nodes().equals(assignment.nodes());
        if (memory != MemoryMode.LOCAL && !assignment.nodes().isEmpty() && !same) {
            now.binder.bindMemory(new MemoryPolicy(memory, assignment.nodes()));
        }
    }

    /** Frees the slots of the calling thread; does nothing when it runs no task. */
    public void leave() {
        PoolThread caller = threads.get(Thread.currentThread());
        if (caller != null) {
            synchronized (caller) {
                caller.leave();
            }
        }
    }

    /**
     * Binds threads that had no task at this call and the one before it to the whole domain again. Their memory policy
     * stays: no thread can change that of another.
     *
     * @throws RuntimeException when the kernel refuses; the other threads are restored all the same
     */
    void restoreIdle() {
        forEach(thread -> {
            if (!thread.runsTask && thread.wasIdle) {
                restore(thread);
            }
            thread.wasIdle = !thread.runsTask;
        });
    }

    /** Does the same for all threads that still live, idle or not. */
    void restoreAll() {
        forEach(this::restore);
    }

    private void restore(PoolThread thread) {
        if (thread.bound) {
            thread.bound = false;
            rebind(state.binder, thread, state.domain);
        }
    }

    /** A thread of the pool may end at any moment: an executor that stops ends them all before it stops its plugins. */
    private static void rebind(Binder binder, PoolThread thread, CpuSet cpus) {
        if (thread.thread.isAlive()) {
            try {
                binder.setThreadCpusUnverified(thread.tid, cpus);
            } catch (BindingException e) {
                if (thread.thread.isAlive()) {
                    throw e;
                }
            }
        }
    }

    /** Tasks that run follow at once. */
    @Override
    public void widen(int width) {
        State now = state;
        State next = new State(now.binder, now.table, now.domain, now.widths, width);
        state = next;
        forEach(thread -> {
            if (thread.runsTask && thread.assignment != null) {
                rebind(next.binder, thread, next.around(thread.assignment));
            }
        });
    }

    /** Whether a task runs, or has started since the last call. */
    @Override
    public boolean haveWorked() {
        long now = tasks.get();
        return tasksSeen.getAndSet(now) != now || threads.values().stream().anyMatch(thread -> thread.runsTask);
    }

    @Override
    public Set<Integer> tids() {
        return threads.values().stream()
                .filter(thread -> thread.thread.isAlive())
                .map(thread -> thread.tid)
                .collect(Collectors.toSet());
    }

    /**
     * Replaces the slots, and rebinds running tasks at once. The new ones are as wide as the former ones.
     *
     * @throws RuntimeException when a thread cannot be bound; the others are
     */
    void replace(Binder binder, SlotTable table, CpuSet domain, SlotWidths widths) {
        State next = new State(binder, table, domain, widths, Math.min(state.width, widths.widest()));
        state = next;
        forEach(thread -> {
            SlotTable.Assignment former = thread.assignment;
            if (thread.runsTask && former != null && thread.table != null && thread.thread.isAlive()) {
                thread.table.release(former);
                thread.assignment =
                        former.isGiven() ? stillGiven(former.cpus(), domain) : table.take(former.wanted(), null);
                thread.table = table;
                rebind(binder, thread, next.around(thread.assignment));
                rebinds.incrementAndGet();
            } else {
                restore(thread);
            }
        });
    }

    private static SlotTable.Assignment stillGiven(CpuSet cpus, CpuSet domain) {
        return SlotTable.Assignment.given(cpus.intersects(domain) ? cpus.intersection(domain) : domain);
    }

    private void forEach(Consumer<PoolThread> action) {
        RuntimeException failure = null;
        for (PoolThread thread : threads.values()) {
            synchronized (thread) {
                try {
                    action.accept(thread);
                } catch (RuntimeException e) {
                    if (failure == null) {
                        failure = e;
                    } else {
                        failure.addSuppressed(e);
                    }
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The tasks that run at this moment. */
    public List<RunningTask> running() {
        List<RunningTask> result = new ArrayList<>();
        forEach(thread -> {
            if (thread.runsTask && thread.assignment != null) {
                result.add(new RunningTask(thread.taskId, thread.assignment.slots(), thread.assignment.cpus()));
            }
        });
        return result;
    }

    /** The CPUs of each slot, by its number. */
    public List<CpuSet> slots() {
        return state.table.cpus();
    }

    /** How many tasks were bound. */
    public long tasks() {
        return tasks.get();
    }

    /** How many of them shared their slots. */
    public long shared() {
        return shared.get();
    }

    /** How often a thread that had slots was bound to others, or to the same once more. */
    public long rebinds() {
        return rebinds.get();
    }

    /** How the slots were used, for the log. */
    public String summary() {
        return slots().size() + " slots, " + tasks + " tasks, " + shared + " of them shared a slot";
    }
}
