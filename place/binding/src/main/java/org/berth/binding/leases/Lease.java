package org.berth.binding.leases;

import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import org.berth.binding.BoundScope;
import org.berth.binding.LocalMachine;
import org.berth.binding.SlotBinder;
import org.berth.binding.internal.NativeBridge;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * A domain of this host that this process holds until the lease is closed or the process ends. Thread-safe.
 *
 * <p>It binds nothing by itself: {@link #bindProcess} and {@link #slots} do.
 *
 * @since 0.1.0
 */
public final class Lease implements AutoCloseable {
    private final int handle;
    private final OptionalInt worker;
    private final LeaseRecord record;
    private final AtomicBoolean open = new AtomicBoolean(true);

    Lease(int handle, OptionalInt worker, LeaseRecord record) {
        this.handle = handle;
        this.worker = worker;
        this.record = record;
    }

    /**
     * Which worker of the plan this process is.
     *
     * @throws IllegalStateException when it was claimed without a plan
     */
    public int worker() {
        return worker.orElseThrow(() -> new IllegalStateException("a lease of " + record.domain() + " is no worker"));
    }

    /** The CPUs of the domain, by their kernel numbers; not empty. */
    public CpuSet cpus() {
        return record.cpus();
    }

    /** The memory nodes of the domain; empty where the kernel names none. */
    public NodeSet memoryNodes() {
        return record.memoryNodes();
    }

    /**
     * Binds all threads of this process to the CPUs of the domain, verified; closing the scope gives them their former masks back.
     *
     * @throws org.berth.binding.errors.BindingException when the kernel refuses; nothing stays bound then
     */
    public BoundScope bindProcess(LocalMachine machine) {
        return machine.binder().bindProcess(ProcessHandle.current().pid(), cpus());
    }

    /** A slot for a thread on each core of the domain. */
    public SlotBinder slots(LocalMachine machine) {
        return SlotBinder.ofCores(machine, cpus());
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
