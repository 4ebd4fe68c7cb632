package org.berth.binding.leases;

import org.berth.binding.BoundScope;
import org.berth.binding.LocalMachine;
import org.berth.binding.SlotBinder;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * A domain of this host that this process holds until the lease is closed or the process ends. Thread-safe.
 *
 * <p>It binds nothing by itself: {@link #bindProcess} and {@link #slots} do.
 *
 * @since 0.1.0
 */
public interface Lease extends AutoCloseable {
    /**
     * Which worker of the plan this process is.
     *
     * @throws IllegalStateException when it was claimed without a plan
     */
    int worker();

    /** The CPUs of the domain, by their kernel numbers; not empty. */
    CpuSet cpus();

    /** The memory nodes of the domain; empty where the kernel names none. */
    NodeSet memoryNodes();

    /**
     * Binds all threads of this process to the CPUs of the domain, verified; closing the scope gives them their former masks back.
     *
     * @throws org.berth.binding.errors.BindingException when the kernel refuses; nothing stays bound then
     */
    BoundScope bindProcess(LocalMachine machine);

    /** A slot for a thread on each core of the domain. */
    SlotBinder slots(LocalMachine machine);

    /** The lease as it is written in the ledger. */
    LeaseRecord record();

    /** Releases the domain; closing twice does nothing the second time. */
    @Override
    void close();
}
