package org.berth.binding.leases;

import java.util.Optional;
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
    private final boolean planned;
    private final Optional<String> warning;
    private final AtomicBoolean open = new AtomicBoolean(true);
    private volatile LeaseRecord record;

    /** @param planned whether its domain is a worker of a plan */
    HeldLease(int handle, boolean planned, LeaseReply reply) {
        this.handle = handle;
        this.planned = planned;
        this.warning = reply.warning();
        this.record = reply.lease();
    }

    @Override
    public int worker() {
        String domain = record.domain();
        if (!planned) {
            throw new IllegalStateException("a lease of " + domain + " is no worker");
        }
        return Integer.parseInt(domain.substring(domain.lastIndexOf(' ') + 1));
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
    public Optional<String> warning() {
        return warning;
    }

    @Override
    public boolean leaveCrowd() {
        requireOpen();
        byte[] reply = new byte[LeaseReply.BYTES];
        int result = NativeBridge.leaveCrowd(handle, reply);
        if (result < 0) {
            throw LeaseReply.failure("move", "the lease of CPUs " + cpus(), result, reply);
        }
        if (result > 0) {
            record = LeaseReply.parse(reply).lease();
        }
        return result > 0;
    }

    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            NativeBridge.releaseLease(handle);
        }
    }
}
