package org.berth.mapreduce.embedded;

import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.berth.binding.LocalMachine;
import org.berth.binding.SlotBinder;
import org.berth.binding.internal.jvm.BerthCopies;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.mapreduce.client.ExitGuard;
import org.berth.mapreduce.runtime.sort.BufferPool;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementRequest;
import org.berth.placement.policy.PlacementPolicies;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker threads of this JVM, which all jobs with the same settings share, and their buffers. A thread is bound once, when it
 * starts. Threads are daemons: they keep no client alive. Thread-safe.
 */
final class WorkerPool {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerPool.class);
    private static final Map<Key, WorkerPool> POOLS = new ConcurrentHashMap<>();
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final BlockingQueue<Work> queue = new LinkedBlockingQueue<>();
    private final BufferPool buffers;
    private final @Nullable SlotBinder binder;
    private final int threads;
    private final int depth;

    /**
     * Jobs that tasks submit have threads of their own: all others may be waiting for them.
     *
     * @param depth 0 for the jobs of a client, 1 for the jobs of their tasks, and so on
     */
    private record Key(EngineSettings settings, int depth) {}

    /** A piece of work. It gets its thread, for an interrupt. */
    interface Work extends Consumer<Worker> {}

    private WorkerPool(EngineSettings settings, int depth, BufferPool buffers) {
        this.threads = settings.threads();
        this.depth = depth;
        this.buffers = buffers;
        binder = settings.level().level() == AffinityLevel.NONE ? null : binder(settings);
        for (int i = 0; i < threads; i++) {
            startWorker();
        }
    }

    private void startWorker() {
        new Worker(new TaskGroup(depth)).start();
    }

    /** Returns the pool for a job that the calling thread submits. */
    static WorkerPool of(EngineSettings settings) {
        int depth = Thread.currentThread().getThreadGroup() instanceof TaskGroup group ? group.depth() + 1 : 0;
        WorkerPool first = POOLS.computeIfAbsent(
                new Key(settings, 0),
                key -> new WorkerPool(
                        settings,
                        0,
                        new BufferPool(
                                settings.memoryBytes(),
                                settings.bufferBytes(),
                                settings.threads(),
                                settings.sortBytes())));
        return depth == 0
                ? first
                : POOLS.computeIfAbsent(
                        new Key(settings, depth), key -> new WorkerPool(settings, depth, first.buffers));
    }

    BufferPool buffers() {
        return buffers;
    }

    void submit(Work work) {
        queue.add(work);
    }

    /** Gives a thread up that cannot be stopped; another one takes its place. */
    void abandon(Worker worker) {
        if (!worker.abandoned) {
            worker.abandoned = true;
            startWorker();
        }
    }

    @SuppressWarnings("CatchAndPrintStackTrace")
    private static @Nullable SlotBinder binder(EngineSettings settings) {
        try {
            // For the life of this JVM, as the threads.
            BerthCopies.Use copy = BerthCopies.use("the workers of MapReduce jobs", WorkerPool.class);
            copy.line().ifPresent(line -> LOG.warn("Berth: {}", line));
            if (!copy.isAllowed()) {
                return null;
            }
            LocalMachine machine = LocalMachine.open();
            PlacementRequest request = PlacementRequest.of(AffinityLevel.NONE, 1, settings.threads())
                    .withLevel(settings.level());
            return SlotBinder.of(machine.binder(), PlacementPolicies.byLevel().plan(machine.topology(), request));
        } catch (RuntimeException | LinkageError e) {
            unbound(settings.level().word(), e);
            return null;
        }
    }

    private static void unbound(String level, Throwable e) {
        LOG.warn(
                "cannot bind worker threads at level {}: {}; the job runs unbound, set {}=none or see berth doctor",
                level,
                e.getMessage(),
                EngineSettings.LEVEL);
    }

    /** A thread of the pool. */
    final class Worker extends Thread {
        private final TaskGroup group;
        private volatile boolean abandoned;

        private Worker(TaskGroup group) {
            super(group, "berth-worker-" + NUMBERS.getAndIncrement());
            this.group = group;
            setDaemon(true);
        }

        TaskGroup group() {
            return group;
        }

        @Override
        public void run() {
            if (binder != null) {
                try {
                    binder.bind();
                } catch (RuntimeException e) {
                    unbound("of the plan", e);
                }
            }
            ExitGuard.Scope guarded = ExitGuard.enter(group);
            try (guarded) {
                while (!abandoned) {
                    work();
                }
            }
        }

        private void work() {
            try {
                queue.take().accept(this);
            } catch (InterruptedException e) {
                // An interrupt that came too late for the task that it was meant for.
            } catch (RuntimeException | Error e) {
                LOG.error("a worker thread continues after an error in the engine", e);
            }
        }
    }
}
