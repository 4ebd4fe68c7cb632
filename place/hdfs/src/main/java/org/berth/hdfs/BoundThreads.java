package org.berth.hdfs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.binding.internal.jvm.WholeDomain;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * The threads that work on blocks and are bound, and the way back of each. Thread-safe.
 *
 * <p>A thread that received a block ends with it. One that sent a block may wait some seconds for the next request of the
 * same client, and gets its former CPUs back meanwhile, seen by the name that Hadoop gives it.
 *
 * <p>From the first bound thread on, all count the processors of the DataNode, and processes that they start have them.
 * Threads inherit: the second thread of a receiver belongs where the first is.
 */
final class BoundThreads {
    private static final String WORKER = "DataXceiver for ";
    private static final String WAITING = "[Waiting for operation";

    private final Binder binder;
    private final Map<Thread, Held> held = new ConcurrentHashMap<>();
    private @Nullable WholeDomain whole;

    BoundThreads(Binder binder) {
        this.binder = binder;
    }

    /** Bound once and moved from then on, until it is given back. */
    private static final class Held {
        private final BoundScope scope;
        private boolean givenBack;

        Held(BoundScope scope) {
            this.scope = scope;
        }

        /** Whether it still was bound, so that moving it was right. */
        synchronized boolean move(Binder binder, CpuSet cpus) {
            if (!givenBack) {
                binder.bindThreadForGood(cpus);
            }
            return !givenBack;
        }

        /** The thread names itself anew before it asks for CPUs, so that after the check it cannot be at work. */
        synchronized boolean giveBackIfWaiting(Thread owner) {
            if (!givenBack && owner.getName().contains(WAITING)) {
                giveBack();
            }
            return givenBack;
        }

        synchronized void giveBack() {
            scope.close();
            givenBack = true;
        }
    }

    /** Volumes are chosen by other threads too, such as the writer of lazily persisted blocks, which serve many volumes. */
    static boolean isBlockWorker(Thread thread) {
        return thread.getName().startsWith(WORKER);
    }

    /** Binds the calling thread; an exception leaves it as it was. */
    void bind(CpuSet cpus) {
        Thread self = Thread.currentThread();
        Held own = held.get(self);
        if (own == null || !own.move(binder, cpus)) {
            holdDomain();
            held.put(self, new Held(binder.bindThread(cpus)));
        }
    }

    private synchronized void holdDomain() {
        if (whole == null) {
            WholeDomain domain = WholeDomain.holdWithoutThreads(processCpus());
            domain.note().ifPresent(note -> HdfsAffinityPlugin.LOG.warn("Berth: {}", note));
            whole = domain;
        }
    }

    /** The first thread only waits for the JVM's end, and nothing binds it. */
    private CpuSet processCpus() {
        return binder.threadCpus((int) ProcessHandle.current().pid());
    }

    private synchronized void followDomain() {
        WholeDomain domain = whole;
        if (domain != null) {
            domain.change(processCpus());
        }
    }

    /** Restores the former CPUs of the calling thread, if it is bound. */
    void free() {
        Held own = held.remove(Thread.currentThread());
        if (own != null) {
            own.giveBack();
        }
    }

    /**
     * Forgets threads that ended, restores the former CPUs of those that wait for work, and follows the CPUs of the process.
     *
     * @return how many got them back
     */
    int sweep() {
        followDomain();
        AtomicInteger givenBack = new AtomicInteger();
        held.entrySet().removeIf(entry -> {
            Thread thread = entry.getKey();
            boolean waits = thread.isAlive() && entry.getValue().giveBackIfWaiting(thread);
            if (waits) {
                givenBack.incrementAndGet();
            }
            return waits || !thread.isAlive();
        });
        return givenBack.get();
    }

    /** Restores the former CPUs of all living threads. */
    synchronized void freeAll() {
        held.forEach((thread, own) -> own.giveBack());
        held.clear();
        WholeDomain domain = whole;
        if (domain != null) {
            domain.close();
            whole = null;
        }
    }
}
