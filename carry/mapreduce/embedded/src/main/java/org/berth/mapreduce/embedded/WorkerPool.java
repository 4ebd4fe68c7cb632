package org.berth.mapreduce.embedded;

import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.mapreduce.client.ExitGuard;
import org.berth.mapreduce.runtime.sort.BufferPool;
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
    private final @Nullable WorkerSlots slots;
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
        this.slots = WorkerSlots.of(settings).orElse(null);
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
            if (slots != null) {
                slots.bind();
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
                Work next = queue.take();
                WorkerSlots.Use use = WorkerSlots.use(slots);
                try (use) {
                    next.accept(this);
                }
            } catch (InterruptedException e) {
                // An interrupt that came too late for the task that it was meant for.
            } catch (RuntimeException | Error e) {
                LOG.error("a worker thread continues after an error in the engine", e);
            }
        }
    }
}
