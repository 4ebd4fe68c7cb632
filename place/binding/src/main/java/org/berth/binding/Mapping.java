package org.berth.binding;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.binding.internal.NativeBridge;
import org.berth.topology.FailureKind;

/**
 * A mapping of its own, and the number of objects that use it: a {@link NativeMemory} and the buffers over it. Its
 * pages are given back
 * when it is closed, or with the last of these objects; its addresses are only then, so that a buffer that is used
 * later reads zeros and cannot end the JVM. Thread-safe.
 */
final class Mapping {
    private final long address;
    private final long bytes;
    private int users;
    private boolean reserved = true;

    /** One thread for the mappings of all binders, started for the first of them. */
    private static final class Unmapping {
        static final Cleaner CLEANER = Cleaner.create();
    }

    private Mapping(long address, long bytes) {
        this.address = address;
        this.bytes = bytes;
    }

    /** Maps whole pages, which no thread has touched. */
    static Mapping of(long sizeBytes, MemoryPolicy policy) {
        long page = NativeBridge.pageBytes();
        // Nothing that is so large can be had.
        long bytes = sizeBytes > Long.MAX_VALUE - page ? sizeBytes : (sizeBytes + page - 1) / page * page;
        DirectMemory.reserve(bytes, sizeBytes + " bytes", policy.toString());
        long[] address = {0};
        // A process has a limit of mappings, too.
        DirectMemory.afterCollections(() -> (address[0] = NativeBridge.mapMemory(bytes)) != -Errno.ENOMEM);
        if (address[0] < 0) {
            DirectMemory.release(bytes);
            throw BindingException.ofErrno(
                    "allocate",
                    sizeBytes + " bytes",
                    policy.toString(),
                    (int) -address[0],
                    "the address space or the number of mappings (vm.max_map_count) is limited");
        }
        return new Mapping(address[0], bytes);
    }

    long address() {
        return address;
    }

    /** A whole number of pages. */
    long bytes() {
        return bytes;
    }

    /** The mapping stays as long as this object is reachable. */
    synchronized <T> T usedBy(T user) {
        users++;
        Unmapping.CLEANER.register(user, this::release);
        return user;
    }

    /** A buffer whose slices and duplicates keep it reachable. */
    ByteBuffer buffer(long offsetBytes, int sizeBytes) {
        ByteBuffer buffer = NativeBridge.bufferOver(address + offsetBytes, sizeBytes);
        if (buffer == null) {
            throw BindingException.of(
                    FailureKind.UNAVAILABLE,
                    "allocate",
                    sizeBytes + " bytes",
                    "",
                    "this JVM has no direct buffers",
                    "");
        }
        return usedBy(buffer);
    }

    synchronized boolean isClosed() {
        return !reserved;
    }

    /** Releases the pages; BindingException when the kernel refuses. */
    synchronized void close() {
        if (reserved) {
            int result = NativeBridge.discardMemory(address, bytes);
            if (result < 0) {
                throw BindingException.ofErrno("free", bytes + " bytes", "", -result, "");
            }
            unreserve();
        }
    }

    private synchronized void release() {
        users--;
        if (users == 0) {
            NativeBridge.unmapMemory(address, bytes);
            unreserve();
        }
    }

    private void unreserve() {
        if (reserved) {
            reserved = false;
            DirectMemory.release(bytes);
        }
    }
}
