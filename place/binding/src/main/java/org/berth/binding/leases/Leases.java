package org.berth.binding.leases;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.library.NativeLibrary;
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
public final class Leases {
    /** Room for one lease, see LEASE_TEXT_SIZE in lease.h. */
    private static final int REPLY_BYTES = 32_768;

    private static final int LARGEST_REPLY_BYTES = 1 << 28;

    /** A longer path is refused by the kernel. */
    private static final int PATH_BYTES = 4_096;

    private final Path directory;

    private Leases(Path directory) {
        this.directory = directory;
    }

    /**
     * The ledger of this host: the directory that the environment variable BERTH_LEASES names, else
     * /run/berth/leases if root has made it for all users (mode 1777), else /dev/shm/berth-leases.
     *
     * @throws BindingException when the native library cannot be loaded
     */
    public static Leases ofHost() {
        NativeLibrary.load();
        byte[] path = new byte[PATH_BYTES];
        int length = NativeBridge.leaseDirectory(path);
        if (length < 0) {
            throw BindingException.ofErrno("use", "the directory of leases", "", -length, "correct BERTH_LEASES");
        }
        return new Leases(PathBytes.pathOf(Arrays.copyOf(path, length)));
    }

    /**
     * The ledger in another directory, which is created if absent; its parent must exist. Containers on one host agree
     * through a volume that they share.
     *
     * @throws BindingException when the native library cannot be loaded
     */
    public static Leases at(Path directory) {
        NativeLibrary.load();
        return new Leases(directory);
    }

    /** The folder of the leases. */
    public Path directory() {
        return directory;
    }

    /**
     * Claims the worker of a plan whose CPUs the other processes of this host use least; of equal ones the first. What
     * another process holds exclusively is never given. Waits for others that choose at the same time, 10 seconds at
     * most.
     *
     * @param exclusive only a worker none of whose CPUs is in any other lease, and no other process gets them
     * @param name the name of this process in the ledger
     * @throws BindingException EBUSY when no worker is free, ETIMEDOUT, or what is wrong with the directory
     */
    public Lease claim(PlacementPlan plan, boolean exclusive, String name) {
        byte[] reply = new byte[REPLY_BYTES];
        int handle = NativeBridge.claimLease(
                PathBytes.of(directory), plan.toText(), exclusive, name.getBytes(StandardCharsets.UTF_8), reply);
        if (handle < 0) {
            throw failure("claim", "a domain in " + directory, handle, reply);
        }
        LeaseRecord record = LeaseRecord.parseAll(text(reply).lines().toList()).get(0);
        int worker = Integer.parseInt(record.domain().substring(record.domain().lastIndexOf(' ') + 1));
        return new Lease(handle, OptionalInt.of(worker), record);
    }

    /**
     * Claims a part of this host: of those of its kind the one whose CPUs the other processes use least, or the one of its number.
     * Considered are the CPUs that the first thread of this process may use. Waits for others that choose at the same time, 10
     * seconds at most.
     *
     * @throws BindingException EBUSY when none is free, ENOENT when this machine has none of that kind, ETIMEDOUT, or what is wrong
     *     with the directory
     */
    public Lease claim(Domain domain) {
        byte[] reply = new byte[REPLY_BYTES];
        int handle = NativeBridge.claimDomain(
                PathBytes.of(directory),
                domain.kind(),
                domain.number(),
                domain.isExclusive(),
                domain.name().getBytes(StandardCharsets.UTF_8),
                reply);
        if (handle < 0) {
            throw failure("claim", domain.kind() + " in " + directory, handle, reply);
        }
        LeaseRecord record = LeaseRecord.parseAll(text(reply).lines().toList()).get(0);
        return new Lease(handle, OptionalInt.empty(), record);
    }

    /**
     * All leases that a living process holds. Files without a holder are removed.
     *
     * @throws BindingException when the directory cannot be used
     */
    public List<LeaseRecord> list() {
        return listing().leases();
    }

    /**
     * All leases that a living process holds, and what an administrator should know of the directory.
     *
     * @throws BindingException when the directory cannot be used
     */
    public LeaseListing listing() {
        for (int size = REPLY_BYTES; ; size *= 8) {
            byte[] reply = new byte[size];
            int length = NativeBridge.listLeases(PathBytes.of(directory), reply);
            if (length >= 0) {
                return LeaseListing.parse(text(reply).lines().toList());
            }
            if (length != -Errno.ENOBUFS || size >= LARGEST_REPLY_BYTES) {
                throw failure("read", "the leases in " + directory, length, reply);
            }
        }
    }

    private static BindingException failure(String operation, String target, int result, byte[] reply) {
        String reason = text(reply).strip();
        return reason.isEmpty()
                ? BindingException.ofErrno(operation, target, "", -result, "")
                : BindingException.ofReason(operation, target, -result, reason);
    }

    private static String text(byte[] reply) {
        int length = 0;
        while (length < reply.length && reply[length] != 0) {
            length++;
        }
        return new String(reply, 0, length, StandardCharsets.UTF_8);
    }
}
