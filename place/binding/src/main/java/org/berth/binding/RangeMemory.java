package org.berth.binding;

import java.lang.ref.Reference;
import java.util.function.IntSupplier;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.binding.internal.NativeBridge;
import org.berth.topology.NodeSet;

/** Policies and nodes of memory ranges at the native boundary, with errors in words. */
final class RangeMemory {
    private static final int BIND_STRICT = 1;
    private static final int BIND_MOVE = 2;

    private RangeMemory() {}

    /** The number of pages is 0 when the range holds no whole one. */
    static int bind(MemoryRange range, MemoryPolicy policy, boolean move) {
        int pages = holding(
                range.owner(),
                () -> NativeBridge.bindRange(
                        range.address(),
                        range.sizeBytes(),
                        MemoryPolicies.mode(policy.mode()),
                        policy.nodes().toLongs(),
                        move ? BIND_STRICT | BIND_MOVE : 0));
        if (pages < 0) {
            throw BindingException.ofErrno(
                    "bind",
                    range.toString(),
                    policy.toString(),
                    -pages,
                    MemoryPolicies.hint(MemoryPolicies.mode(policy.mode()), -pages));
        }
        return pages;
    }

    static int[] pageNodes(MemoryRange range) {
        long pages = range.sizeBytes() / NativeBridge.pageBytes() + 2;
        if (pages > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    range + " has more pages than an array can have elements: ask for parts");
        }
        try {
            return MemoryPolicies.pageNodes(range.address(), range.sizeBytes(), (int) pages);
        } finally {
            Reference.reachabilityFence(range.owner());
        }
    }

    static MemoryPolicy policy(MemoryRange range) {
        long[] words = new long[MemoryPolicies.NODE_WORDS];
        int mode = holding(range.owner(), () -> NativeBridge.rangePolicy(range.address(), range.sizeBytes(), words));
        if (mode == -Errno.EXDEV) {
            throw BindingException.ofErrno(
                    "read", "the memory policy of " + range, "", -mode, "its pages have different ones: ask for parts");
        }
        if (mode < 0) {
            throw BindingException.ofErrno(
                    "read", "the memory policy of " + range, "", -mode, MemoryPolicies.hint(-mode));
        }
        return new MemoryPolicies.Raw(mode, NodeSet.ofLongs(words)).named();
    }

    static NativeMemory allocate(long sizeBytes, MemoryPolicy policy) {
        if (sizeBytes < 1) {
            throw new IllegalArgumentException("cannot allocate " + sizeBytes + " bytes");
        }
        NativeMemory memory = NativeMemory.of(Mapping.of(sizeBytes, policy), sizeBytes);
        int pages = holding(
                memory,
                () -> NativeBridge.bindRange(
                        memory.address(),
                        memory.mappedBytes(),
                        MemoryPolicies.mode(policy.mode()),
                        policy.nodes().toLongs(),
                        0));
        if (pages < 0) {
            memory.close();
            throw BindingException.ofErrno(
                    "allocate",
                    sizeBytes + " bytes",
                    policy.toString(),
                    -pages,
                    MemoryPolicies.hint(MemoryPolicies.mode(policy.mode()), -pages));
        }
        return memory;
    }

    /** The memory is not freed during the call, although the compiler sees no more use of its owner. */
    private static int holding(Object owner, IntSupplier call) {
        try {
            return call.getAsInt();
        } finally {
            Reference.reachabilityFence(owner);
        }
    }
}
