package org.berth.binding;

import java.util.Arrays;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.binding.internal.NativeBridge;
import org.berth.placement.MemoryMode;
import org.berth.topology.FailureKind;
import org.berth.topology.NodeSet;

/** Memory policies at the native boundary, with errors in words. */
final class MemoryPolicies {
    /** MPOL_ values of the kernel (linux/mempolicy.h). */
    private static final int DEFAULT = 0;

    private static final int PREFERRED = 1;
    private static final int BIND = 2;
    private static final int INTERLEAVE = 3;
    private static final int LOCAL = 4;
    private static final int PREFERRED_MANY = 5;
    private static final int WEIGHTED = 6;

    /** MPOL_F_NUMA_BALANCING. */
    private static final int BALANCING = 1 << 13;

    /** The maximum number of NUMA nodes that Linux is built for. */
    static final int NODE_WORDS = 1024 / Long.SIZE;

    private static final ScopeLayers.Table<Thread, Raw> SCOPES = new ScopeLayers.Table<>();

    private MemoryPolicies() {}

    /** A policy as the kernel has it; it may be one that {@link MemoryPolicy} has no name for. */
    record Raw(int mode, NodeSet nodes) {
        MemoryPolicy named() {
            return switch (mode) {
                case DEFAULT, LOCAL -> MemoryPolicy.local();
                // Preferring no node at all is the old spelling of local.
                case PREFERRED -> nodes.isEmpty() ? MemoryPolicy.local() : new MemoryPolicy(MemoryMode.PREFER, nodes);
                case BIND -> new MemoryPolicy(MemoryMode.BIND, nodes);
                case INTERLEAVE -> new MemoryPolicy(MemoryMode.INTERLEAVE, nodes);
                case WEIGHTED -> new MemoryPolicy(MemoryMode.WEIGHTED, nodes);
                case BIND | BALANCING -> new MemoryPolicy(MemoryMode.BIND_BALANCE, nodes);
                case PREFERRED_MANY | BALANCING -> new MemoryPolicy(MemoryMode.PREFER_BALANCE, nodes);
                default ->
                    throw BindingException.of(
                            FailureKind.UNAVAILABLE,
                            "name",
                            "the memory policy of the calling thread",
                            "",
                            "it is mode " + mode,
                            "");
            };
        }
    }

    static Raw get() {
        long[] words = new long[NODE_WORDS];
        int mode = NativeBridge.getMemoryPolicy(words);
        if (mode < 0) {
            throw BindingException.ofErrno("read", "the memory policy of the calling thread", "", -mode, hint(-mode));
        }
        return new Raw(mode, NodeSet.ofLongs(words));
    }

    static void set(Raw policy) {
        int result = NativeBridge.setMemoryPolicy(policy.mode(), policy.nodes().toLongs());
        if (result < 0) {
            throw BindingException.ofErrno(
                    "bind",
                    "new memory of the calling thread",
                    policy.named().toString(),
                    -result,
                    hint(policy.mode(), -result));
        }
    }

    /** The calling thread, whose scopes may be closed in any order. */
    static BoundScope bind(MemoryPolicy policy) {
        Raw before = get();
        set(raw(policy));
        MemoryPolicy now = get().named();
        if (!now.equals(policy)) {
            set(before);
            throw BindingException.of(
                    FailureKind.REFUSED_BY_KERNEL,
                    "bind",
                    "new memory of the calling thread",
                    policy.toString(),
                    "the kernel made it " + now,
                    "the cpuset has changed, or the kernel is older than 5.15 and prefers one node only");
        }
        Thread owner = Thread.currentThread();
        return SCOPES.of(owner).scope(before, former -> {
            requireOwner(owner);
            set(former);
        });
    }

    private static void requireOwner(Thread owner) {
        if (owner != Thread.currentThread()) {
            throw BindingException.of(
                    FailureKind.INVALID,
                    "restore",
                    "the memory policy of thread " + owner.getName(),
                    "",
                    "thread " + Thread.currentThread().getName() + " closed it",
                    "close it in the thread that was bound");
        }
    }

    static Raw raw(MemoryPolicy policy) {
        return new Raw(mode(policy.mode()), policy.nodes());
    }

    static int mode(MemoryMode mode) {
        return switch (mode) {
            case LOCAL -> DEFAULT;
            case PREFER -> PREFERRED;
            case BIND -> BIND;
            case INTERLEAVE -> INTERLEAVE;
            case WEIGHTED -> WEIGHTED;
            case BIND_BALANCE -> BIND | BALANCING;
            case PREFER_BALANCE -> PREFERRED_MANY | BALANCING;
        };
    }

    static int[] pageNodes(long address, long lengthBytes, int pages) {
        int[] nodes = new int[pages];
        int count = NativeBridge.rangeNodes(address, lengthBytes, nodes);
        if (count < 0) {
            throw BindingException.ofErrno("read", "the nodes of memory pages", "", -count, hint(-count));
        }
        return Arrays.copyOf(nodes, count);
    }

    /** Kernels without a policy say EINVAL, as they do of nodes that are not there. */
    static String hint(int mode, int errno) {
        String needed = switch (errno == Errno.EINVAL ? mode : DEFAULT) {
            case WEIGHTED -> "Linux 6.9";
            case BIND | BALANCING -> "Linux 5.12 with CONFIG_NUMA_BALANCING";
            case PREFERRED_MANY | BALANCING -> "Linux 6.10 with CONFIG_NUMA_BALANCING";
            default -> "";
        };
        return needed.isEmpty() ? hint(errno) : "the policy needs " + needed + "; or " + hint(errno);
    }

    static String hint(int errno) {
        return switch (errno) {
            case Errno.EPERM ->
                "a seccomp filter forbids it, as container runtimes do by default: allow get_mempolicy,"
                        + " set_mempolicy, mbind and move_pages, or give CAP_SYS_NICE";
            case Errno.EINVAL -> "none of these nodes is in its cpuset now: see Mems_allowed_list in /proc/self/status";
            case Errno.EIO -> "some pages could not be moved: they are shared, pinned, or the nodes are full";
            case Errno.ENOSYS -> "the kernel must be built with CONFIG_NUMA";
            default -> "";
        };
    }
}
