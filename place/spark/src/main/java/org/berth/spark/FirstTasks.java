package org.berth.spark;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.berth.spark.executor.TaskBinder;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * The time in which the tasks of a local application are not bound yet. An application that ends within it pays nothing, and
 * the JIT compilers, which work most then, find CPUs. Thread-safe.
 */
final class FirstTasks {
    /** On 2 CPUs the compilers were busy for all the 6 s of a sort; with slots from its first task it took 1.31 as long. */
    static final int SECONDS = 10;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Map<Thread, Task> running = new ConcurrentHashMap<>();

    private record Task(long id, long cpus, @Nullable CpuSet given) {}

    /** A task begins on the calling thread. */
    void begin(long id, long cpus, @Nullable CpuSet given) {
        running.put(Thread.currentThread(), new Task(id, cpus, given));
        begun.countDown();
    }

    /** The task of the calling thread ends. */
    void leave() {
        running.remove(Thread.currentThread());
    }

    /** The application ends. */
    void end() {
        ended.countDown();
        begun.countDown();
    }

    /** Waits for that time to pass; false when the application has ended before. */
    boolean await() {
        try {
            begun.await();
            return !ended.await(SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    /**
     * Binds those that run; later ones enter themselves.
     *
     * @throws RuntimeException when a thread cannot be bound; the others are
     */
    void bindTo(TaskBinder binder) {
        RuntimeException failure = null;
        for (Map.Entry<Thread, Task> entry : running.entrySet()) {
            Thread thread = entry.getKey();
            Task task = entry.getValue();
            try {
                binder.adopt(thread, task.id(), task.cpus(), task.given(), () -> task.equals(running.get(thread)));
            } catch (RuntimeException e) {
                if (!thread.isAlive()) {
                    continue;
                }
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        running.clear();
        if (failure != null) {
            throw failure;
        }
    }
}
