package org.berth.hdfs;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.berth.oracle.ProcStatus;

/** A thread with a name that does what it is told. */
final class Worker implements AutoCloseable {
    private final ExecutorService thread;
    private final int tid;

    Worker(String name) throws ExecutionException, InterruptedException {
        thread = Executors.newSingleThreadExecutor(task -> new Thread(task, name));
        tid = thread.submit(() -> ProcStatus.callingThread().tid()).get();
    }

    void run(Runnable task) throws ExecutionException, InterruptedException {
        thread.submit(task).get();
    }

    /** Its affinity mask. */
    String mask() {
        return ProcStatus.of(ProcessHandle.current().pid(), tid).cpus();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
