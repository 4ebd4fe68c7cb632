package org.berth.binding;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.function.IntSupplier;
import org.berth.binding.internal.NativeBridge;
import org.berth.topology.NodeSet;

/** Policies and nodes of memory ranges at the native boundary, with errors in words. */
final class RangeMemory {
    private static final int BIND_STRICT = 1;
    private static final int BIND_MOVE = 2;

    /** One thread for the buffers of all binders, started for the first of them. */
    private static final class Unmapping {
        static final Cleaner CLEANER = Cleaner.create();
    }

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
        try {
            return MemoryPolicies.pageNodes(range.address(), range.sizeBytes(), Math.toIntExact(pages));
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

    static ByteBuffer allocate(int sizeBytes, MemoryPolicy policy) {
        if (sizeBytes < 1) {
            throw new IllegalArgumentException("cannot allocate " + sizeBytes + " bytes");
        }
        long pageBytes = NativeBridge.pageBytes();
        long mappedBytes = (sizeBytes + pageBytes - 1) / pageBytes * pageBytes;
        long address = NativeBridge.mapMemory(mappedBytes);
        if (address < 0) {
            throw BindingException.ofErrno(
                    "allocate",
                    sizeBytes + " bytes",
                    policy.toString(),
                    (int) -address,
                    "the address space is limited");
        }
        ByteBuffer buffer = NativeBridge.bufferOver(address, sizeBytes);
        if (buffer == null) {
            NativeBridge.unmapMemory(address, mappedBytes);
            throw BindingException.of("allocate", sizeBytes + " bytes", "", "this JVM has no direct buffers", "");
        }
        // Slices and duplicates of the buffer keep it reachable, so this runs after the last of them is gone.
        Unmapping.CLEANER.register(buffer, () -> NativeBridge.unmapMemory(address, mappedBytes));
        int pages = holding(
                buffer,
                () -> NativeBridge.bindRange(
                        address,
                        mappedBytes,
                        MemoryPolicies.mode(policy.mode()),
                        policy.nodes().toLongs(),
                        0));
        if (pages < 0) {
            throw BindingException.ofErrno(
                    "allocate",
                    sizeBytes + " bytes",
                    policy.toString(),
                    -pages,
                    MemoryPolicies.hint(MemoryPolicies.mode(policy.mode()), -pages));
        }
        return buffer;
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
