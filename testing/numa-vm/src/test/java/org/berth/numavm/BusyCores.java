package org.berth.numavm;

import java.util.ArrayList;
import java.util.List;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.topology.CpuSet;

/** Real load: a thread that spins on the first hardware thread of each core that it is told. */
@SuppressWarnings("try") // a scope is there to be closed
public final class BusyCores implements AutoCloseable {
    private final Binder binder;
    private final List<Thread> threads = new ArrayList<>();

    public BusyCores(Binder binder) {
        this.binder = binder;
    }

    public void add(CpuSet core) {
        Thread thread = new Thread(() -> {
            try (BoundScope scope = binder.bindThread(CpuSet.of(core.first()))) {
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
            }
        });
        thread.start();
        threads.add(thread);
    }

    @Override
    public void close() throws InterruptedException {
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
