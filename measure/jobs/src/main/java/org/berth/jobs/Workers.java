package org.berth.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Threads that first prepare (each touches its own memory first, so that it lies near the thread), then start
 * together, and end together.
 *
 * @param <T> what each thread hands back
 */
public final class Workers<T> {
    /** One thread's part. */
    public interface Worker<T> {
        /** Prepares the work before the clock starts. */
        void prepare() throws Exception;

        T work() throws Exception;
    }

    /**
     * What all threads returned, and how long they took together.
     *
     * @param results by the number of the thread
     * @param nanos from the start of all to the end of the last
     */
    public record Outcome<T>(List<T> results, long nanos) {}

    private final String name;
    private volatile long startNanos;

    private Workers(String name) {
        this.name = name;
    }

    /** Runs each worker in a thread of its own, called {@code name-0}, {@code name-1} and so on. */
    public static <T> Outcome<T> run(String name, List<? extends Worker<T>> workers) throws Exception {
        return new Workers<T>(name).run(workers);
    }

    private Outcome<T> run(List<? extends Worker<T>> workers) throws Exception {
        CyclicBarrier ready = new CyclicBarrier(workers.size(), () -> startNanos = System.nanoTime());
        List<FutureTask<T>> tasks = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (Worker<T> worker : workers) {
            FutureTask<T> task = new FutureTask<>(() -> work(worker, ready));
            Thread thread = new Thread(task, name + "-" + tasks.size());
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
            tasks.add(task);
        }
        List<T> results = new ArrayList<>();
        Throwable fault = null;
        for (FutureTask<T> task : tasks) {
            try {
                results.add(task.get());
            } catch (ExecutionException e) {
                // A thread that fails breaks the barrier for the others: the first cause is the one to tell.
                if (fault == null || fault instanceof BrokenBarrierException) {
                    fault = e.getCause();
                }
            }
        }
        long nanos = System.nanoTime() - startNanos;
        // A thread that is about to end still holds its worker, whose buffers then outlive the next collection.
        for (Thread thread : threads) {
            thread.join();
        }
        if (fault instanceof Error error) {
            throw error;
        }
        if (fault instanceof Exception exception) {
            throw exception;
        }
        return new Outcome<>(results, nanos);
    }

    private T work(Worker<T> worker, CyclicBarrier ready) throws Exception {
        try {
            worker.prepare();
        } catch (Exception | Error e) {
            Thread.currentThread().interrupt(); // makes the barrier break
            try {
                ready.await();
            } catch (InterruptedException | BrokenBarrierException broken) {
                // As meant.
            }
            throw e;
        }
        ready.await();
        return worker.work();
    }
}
