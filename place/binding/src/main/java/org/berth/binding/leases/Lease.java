package org.berth.binding.leases;

import java.util.concurrent.atomic.AtomicBoolean;
import org.berth.binding.Binder;
import org.berth.binding.internal.NativeBridge;

/**
 * A domain of this host that this process holds until the lease is closed or the process ends. Thread-safe.
 *
 * <p>It binds nothing: give its CPUs to a {@link Binder}.
 *
 * @since 0.1.0
 */
public final class Lease implements AutoCloseable {
    private final int handle;
    private final int worker;
    private final LeaseRecord record;
    private final AtomicBoolean open = new AtomicBoolean(true);

    Lease(int handle, int worker, LeaseRecord record) {
        this.handle = handle;
        this.worker = worker;
        this.record = record;
    }

    /** Which worker of the plan this process is. */
    public int worker() {
        return worker;
    }

    /** The lease as it is written in the ledger. */
    public LeaseRecord record() {
        return record;
    }

    /** Releases the domain; closing twice does nothing the second time. */
    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            NativeBridge.releaseLease(handle);
        }
    }
}
