package org.berth.binding;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.SlotUse;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * The threads that hold a slot. One that ends without a release gives it back all the same: the next thread that needs a slot looks for
 * those that have ended, so no thread of our own is needed. The references are weak, and the scopes belong to their threads alone, so
 * that nothing here keeps a thread or its class loader. Thread-safe.
 */
final class SlotHolders {
    /** The slot that is used least. */
    static final int ANY = -1;

    private final Set<Holder> holders = ConcurrentHashMap.newKeySet();
    private final SlotUse use;

    SlotHolders(List<CpuSet> slots, List<CpuSet> cores) {
        use = new SlotUse(slots, cores);
    }

    /** Compared by identity. */
    static final class Holder {
        private final WeakReference<Thread> thread;
        private final int slot;

        /** Closed when all are; it lives as long as its thread holds the slot. */
        private volatile WeakReference<@Nullable BoundScope> cpus = new WeakReference<>(null);

        private Holder(Thread thread, int slot) {
            this.thread = new WeakReference<>(thread);
            this.slot = slot;
        }

        int slot() {
            return slot;
        }

        void isBoundBy(BoundScope scope) {
            cpus = new WeakReference<>(scope);
        }

        /** A thread of a factory holds its slot before it is started. */
        private boolean hasEnded() {
            Thread living = thread.get();
            return living == null || living.getState() == Thread.State.TERMINATED;
        }
    }

    Holder add(Thread thread, int wanted) {
        for (Holder holder : holders) {
            if (holder.hasEnded()) {
                remove(holder);
            }
        }
        Holder holder = new Holder(thread, wanted == ANY ? use.take() : use.take(wanted));
        holders.add(holder);
        return holder;
    }

    boolean contains(Holder holder) {
        return holders.contains(holder);
    }

    /** Two threads may see the same end; one of them removes. */
    void remove(Holder holder) {
        if (holders.remove(holder)) {
            use.release(holder.slot);
        }
    }

    /** Gives all threads their former CPUs back; the BindingException of the first that cannot be restored, after all others. */
    void close() {
        BindingException failure = null;
        for (Holder holder : holders) {
            BoundScope cpus = holder.cpus.get();
            try {
                if (cpus != null && !holder.hasEnded()) {
                    cpus.close();
                }
                remove(holder);
            } catch (BindingException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
