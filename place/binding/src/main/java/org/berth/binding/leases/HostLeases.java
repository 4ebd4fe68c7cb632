package org.berth.binding.leases;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.placement.PlacementPlan;

/** The ledger in a directory, by the native library. Immutable. */
final class HostLeases implements Leases {
    private static final int LARGEST_REPLY_BYTES = 1 << 28;

    /** A longer path is refused by the kernel. */
    private static final int PATH_BYTES = 4_096;

    private final Path directory;

    private HostLeases(Path directory) {
        this.directory = directory;
    }

    static Leases ofHost() {
        NativeLibrary.load();
        byte[] path = new byte[PATH_BYTES];
        int length = NativeBridge.leaseDirectory(path);
        if (length < 0) {
            throw BindingException.ofErrno("use", "the directory of leases", "", -length, "correct BERTH_LEASES");
        }
        return new HostLeases(PathBytes.pathOf(Arrays.copyOf(path, length)));
    }

    static Leases at(Path directory) {
        NativeLibrary.load();
        return new HostLeases(directory);
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public Optional<String> unseen() {
        byte[] reply = new byte[LeaseReply.BYTES];
        int view = NativeBridge.ledgerView(PathBytes.of(directory), reply);
        if (view < 0) {
            throw LeaseReply.failure("use", "the leases in " + directory, view, reply);
        }
        return view == 0 ? Optional.empty() : Optional.of(LeaseReply.text(reply));
    }

    @Override
    public Lease claim(PlacementPlan plan, boolean exclusive, String name) {
        byte[] reply = new byte[LeaseReply.BYTES];
        int handle = NativeBridge.claimLease(
                PathBytes.of(directory), plan.toText(), exclusive, name.getBytes(StandardCharsets.UTF_8), reply);
        if (handle < 0) {
            throw LeaseReply.failure("claim", "a domain in " + directory, handle, reply);
        }
        return new HeldLease(handle, true, LeaseReply.parse(reply));
    }

    @Override
    public Lease claim(Domain domain) {
        byte[] reply = new byte[LeaseReply.BYTES];
        int handle = NativeBridge.claimDomain(
                PathBytes.of(directory),
                domain.kind(),
                domain.number(),
                domain.isExclusive(),
                domain.name().getBytes(StandardCharsets.UTF_8),
                reply);
        if (handle < 0) {
            throw LeaseReply.failure("claim", domain.kind() + " in " + directory, handle, reply);
        }
        return new HeldLease(handle, false, LeaseReply.parse(reply));
    }

    @Override
    public List<LeaseRecord> list() {
        return listing().leases();
    }

    @Override
    public LeaseListing listing() {
        for (int size = LeaseReply.BYTES; ; size *= 8) {
            byte[] reply = new byte[size];
            int length = NativeBridge.listLeases(PathBytes.of(directory), reply);
            if (length >= 0) {
                return LeaseListing.parse(LeaseReply.text(reply).lines().toList());
            }
            if (length != -Errno.ENOBUFS || size >= LARGEST_REPLY_BYTES) {
                throw LeaseReply.failure("read", "the leases in " + directory, length, reply);
            }
        }
    }
}
