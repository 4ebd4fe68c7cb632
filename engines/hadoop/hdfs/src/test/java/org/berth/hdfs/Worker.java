package org.berth.hdfs;

import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A thread with a name that does what it is told. */
final class Worker implements AutoCloseable {
    private final ExecutorService thread;
    private final String status;

    Worker(String name) throws ExecutionException, InterruptedException {
        thread = Executors.newSingleThreadExecutor(task -> new Thread(task, name));
        status = thread.submit(() -> Path.of("/proc/thread-self")
                        .toRealPath()
                        .resolve("status")
                        .toString())
                .get();
    }

    void run(Runnable task) throws ExecutionException, InterruptedException {
        thread.submit(task).get();
    }

    /** Its Cpus_allowed_list. */
    String mask() {
        return Tasks.mask(Path.of(status));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
