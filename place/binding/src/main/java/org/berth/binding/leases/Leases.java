package org.berth.binding.leases;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.berth.binding.errors.BindingException;
import org.berth.placement.PlacementPlan;

/**
 * The ledger by which the JVMs of one host divide its domains without a coordinator: a directory with a file for each
 * lease that its holder keeps locked (flock(2)) as long as it lives. Agents, {@code berth-exec} and this class share
 * one implementation, in the native library. Immutable and thread-safe.
 *
 * <pre>{@code
 * try (Lease lease = Leases.ofHost().claim(Domain.cores(4).exclusive().named("executor 3"));
 *         BoundScope bound = lease.bindProcess(machine)) {
 *     …
 * }}</pre>
 *
 * @since 0.1.0
 */
public interface Leases {
    /**
     * The ledger of this host: the directory that the environment variable BERTH_LEASES names, else
     * /run/berth/leases if root has made it for all users (mode 1777), else /dev/shm/berth-leases.
     *
     * @throws BindingException when the native library cannot be loaded
     */
    static Leases ofHost() {
        return HostLeases.ofHost();
    }

    /**
     * The ledger in another directory, which is created if absent; its parent must exist. Containers on one host agree
     * through a volume that they share.
     *
     * @throws BindingException when the native library cannot be loaded
     */
    static Leases at(Path directory) {
        return HostLeases.at(Objects.requireNonNull(directory, "directory"));
    }

    /** The folder of the leases. */
    Path directory();

    /**
     * Why processes of this host may not see these leases, in one line with the remedy; empty when all see them. In a container with a
     * /dev/shm of its own they do not: claims are then by the load of the CPUs, and none is exclusive.
     *
     * @throws BindingException when that cannot be found out
     */
    Optional<String> unseen();

    /**
     * Claims the worker of a plan whose CPUs the other processes of this host use least; of equal ones the first. What
     * another process holds exclusively is never given. Waits for others that choose at the same time, 10 seconds at
     * most.
     *
     * @param exclusive only a worker none of whose CPUs is in any other lease, and no other process gets them
     * @param name the name of this process in the ledger
     * @throws BindingException EBUSY when no worker is free, ETIMEDOUT, or what is wrong with the directory
     */
    Lease claim(PlacementPlan plan, boolean exclusive, String name);

    /**
     * Claims a part of this host: of those of its kind the one whose CPUs the other processes use least, or the one of its number.
     * Considered are the CPUs that the first thread of this process may use. Waits for others that choose at the same time, 10
     * seconds at most.
     *
     * @throws BindingException EBUSY when none is free, ENOENT when this machine has none of that kind, ETIMEDOUT, or what is wrong
     *     with the directory
     */
    Lease claim(Domain domain);

    /**
     * All leases that a living process holds. Files without a holder are removed.
     *
     * @throws BindingException when the directory cannot be used
     */
    List<LeaseRecord> list();

    /**
     * All leases that a living process holds, and what an administrator should know of the directory.
     *
     * @throws BindingException when the directory cannot be used
     */
    LeaseListing listing();
}
