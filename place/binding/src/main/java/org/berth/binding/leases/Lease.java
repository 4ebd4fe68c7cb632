package org.berth.binding.leases;

import java.util.Optional;
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

    /** One line when processes of this host may not see the lease, or another user can take it away; with the remedy. */
    Optional<String> warning();

    /**
     * Moves a lease that processes of this host may not see when they use its CPUs while others are idle; {@link #cpus} gives the new
     * ones, and nothing is bound. Call it about once a second: it compares the time that each CPU was busy with the time that this
     * process and its descendants used, and waits a second at most for others to leave first. Processes that are idle are not noticed.
     *
     * @return whether it has moved
     * @throws org.berth.binding.errors.BindingException when the ledger cannot be written
     */
    boolean leaveCrowd();

    /** Releases the domain; closing twice does nothing the second time. */
    @Override
    void close();
}
