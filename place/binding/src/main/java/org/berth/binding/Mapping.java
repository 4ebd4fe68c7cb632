package org.berth.binding;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.memory.DirectMemory;
import org.berth.topology.FailureKind;

/**
 * A mapping of its own, and the number of objects that use it: a {@link NativeMemory} and the buffers, ranges and segments over it. Its
 * pages are given back when it is closed, or with the last of these objects; its addresses when it is closed and nothing but the memory
 * uses it, otherwise with the last, so that a buffer that is used later reads zeros and cannot end the JVM. Thread-safe.
 */
final class Mapping {
    private final long address;
    private final long bytes;
    private int users;
    private boolean reserved = true;
    private boolean mapped = true;

    /**
     * The kernel lets a process have a number of mappings (vm.max_map_count, usually 65,530), and a JVM that finds none for a thread or
     * for its metaspace ends. Nothing collects objects that are small to the JVM, so a collection is asked for after each of these steps.
     */
    private static final int STEP = 4_096;

    private static final AtomicInteger MAPPED = new AtomicInteger();
    private static final AtomicInteger NEXT_COLLECTION = new AtomicInteger(STEP);

    /** One thread for the mappings of all binders, started for the first of them. */
    private static final class Unmapping {
        static final Cleaner CLEANER = Cleaner.create();
    }

    private Mapping(long address, long bytes) {
        this.address = address;
        this.bytes = bytes;
        MAPPED.incrementAndGet();
    }

    /** Maps whole pages, which no thread has touched. */
    static Mapping of(long sizeBytes, MemoryPolicy policy) {
        long page = NativeBridge.pageBytes();
        // Nothing that is so large can be had.
        long bytes = sizeBytes > Long.MAX_VALUE - page ? sizeBytes : (sizeBytes + page - 1) / page * page;
        if (MAPPED.get() >= NEXT_COLLECTION.get()) {
            NEXT_COLLECTION.set(MAPPED.get() + STEP);
            System.gc();
        }
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
    <T> T usedBy(T user) {
        use(user);
        return user;
    }

    /** The mapping stays as long as this object is reachable, or until what is returned is cleaned. */
    synchronized Cleaner.Cleanable use(Object user) {
        users++;
        return Unmapping.CLEANER.register(user, this::release);
    }

    /** A buffer whose slices and duplicates keep it reachable. */
    synchronized ByteBuffer buffer(long offsetBytes, int sizeBytes) {
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
        if (!reserved) {
            return;
        }
        if (users <= 1) {
            unmap();
            return;
        }
        int result = NativeBridge.discardMemory(address, bytes);
        if (result < 0) {
            throw BindingException.ofErrno("free", bytes + " bytes", "", -result, "");
        }
        unreserve();
    }

    private synchronized void release() {
        users--;
        if (users == 0) {
            unmap();
        }
    }

    private void unmap() {
        if (mapped) {
            mapped = false;
            NativeBridge.unmapMemory(address, bytes);
            int left = MAPPED.decrementAndGet();
            NEXT_COLLECTION.updateAndGet(next -> Math.max(STEP, Math.min(next, left + STEP)));
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
