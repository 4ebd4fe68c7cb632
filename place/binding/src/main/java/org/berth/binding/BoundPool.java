package org.berth.binding;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pool with one thread on each core that this process may use, or on each slot of a {@link SlotBinder}.
 *
 * <pre>{@code
 * try (BoundPool pool = BoundPool.onCores(LocalMachine.open(), "worker")) {
 *     pool.submit(job);
 * }}</pre>
 *
 * <p>Threads start as tasks come, and the first has the first core. A thread that cannot be bound works unbound, with a warning of {@link System.Logger}. Thread-safe.
 *
 * @since 0.1.0
 */
public final class BoundPool extends AbstractExecutorService implements AutoCloseable {
    private final ExecutorService threads;
    private final SlotBinder slots;

    private BoundPool(SlotBinder slots, ThreadFactory base) {
        this.slots = slots;
        this.threads = Executors.newFixedThreadPool(slots.size(), slots.threadFactory(base));
    }

    /**
     * A pool with a thread on each allowed core.
     *
     * @param name the threads are called {@code name-0}, {@code name-1} and so on
     */
    public static BoundPool onCores(LocalMachine machine, String name) {
        AtomicInteger next = new AtomicInteger();
        return of(SlotBinder.ofCores(machine), task -> new Thread(task, name + "-" + next.getAndIncrement()));
    }

    /**
     * A pool with a thread on each slot.
     *
     * @param slots are closed with the pool
     * @param base makes the threads, which must be platform threads
     */
    public static BoundPool of(SlotBinder slots, ThreadFactory base) {
        return new BoundPool(slots, base);
    }

    /** The number of threads. */
    public int size() {
        return slots.size();
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    @Override
    public void shutdown() {
        threads.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return threads.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return threads.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return threads.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return threads.awaitTermination(timeout, unit);
    }

    /**
     * Takes no more tasks, waits until all that it has are done, and ends the threads. An interrupt of the calling thread
     * interrupts the tasks, too, and is kept.
     */
    @Override
    public void close() {
        boolean interrupted = false;
        threads.shutdown();
        while (!threads.isTerminated()) {
            try {
                threads.awaitTermination(1, TimeUnit.DAYS);
            } catch (InterruptedException e) {
                interrupted = true;
                threads.shutdownNow();
            }
        }
        slots.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
