package org.berth.binding.leases;

import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import org.berth.binding.BoundScope;
import org.berth.binding.LocalMachine;
import org.berth.binding.SlotBinder;
import org.berth.binding.internal.NativeBridge;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/** A lease by an open file, whose lock tells others that it is held. Thread-safe. */
final class HeldLease implements Lease {
    private final int handle;
    private final OptionalInt worker;
    private final LeaseRecord record;
    private final AtomicBoolean open = new AtomicBoolean(true);

    HeldLease(int handle, OptionalInt worker, LeaseRecord record) {
        this.handle = handle;
        this.worker = worker;
        this.record = record;
    }

    @Override
    public int worker() {
        return worker.orElseThrow(() -> new IllegalStateException("a lease of " + record.domain() + " is no worker"));
    }

    @Override
    public CpuSet cpus() {
        return record.cpus();
    }

    @Override
    public NodeSet memoryNodes() {
        return record.memoryNodes();
    }

    @Override
    public BoundScope bindProcess(LocalMachine machine) {
        requireOpen();
        return machine.binder().bindProcess(ProcessHandle.current().pid(), cpus());
    }

    @Override
    public SlotBinder slots(LocalMachine machine) {
        requireOpen();
        return SlotBinder.ofCores(machine, cpus());
    }

    private void requireOpen() {
        if (!open.get()) {
            throw new IllegalStateException("this lease of CPUs " + cpus() + " is closed: others may have them now");
        }
    }

    @Override
    public LeaseRecord record() {
        return record;
    }

    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            NativeBridge.releaseLease(handle);
        }
    }
}
