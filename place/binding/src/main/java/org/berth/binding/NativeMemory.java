package org.berth.binding;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.memory.SegmentArena;
import org.jspecify.annotations.Nullable;

/**
 * Memory outside the heap whose pages go where a {@link MemoryPolicy} says, from the first touch on: see {@link
 * Binder#allocate}. A process can have some 30,000 at a time (vm.max_map_count): take parts of a large one. It may be larger than a buffer; Java 22 and newer has it as a segment, too.
 *
 * <p>{@link #close()} releases its pages. Memory that is not closed is released when this object and all buffers over
 * it, with their slices, are garbage. Until then it counts against the JVM's limit for direct memory, {@code
 * -XX:MaxDirectMemorySize}, which without this option is the size of the heap: when that is reached, the next
 * allocation collects garbage before it is refused.
 *
 * <p>Close it when no thread uses the buffers any more. A buffer that is used later reads zeros, and what it writes
 * there is lost or takes memory that is not counted; the JVM continues. Thread-safe.
 *
 * @since 0.1.0
 */
public final class NativeMemory implements AutoCloseable {
    private final Mapping mapping;
    private final long sizeBytes;
    private @Nullable SegmentArena arena;
    private Cleaner.@Nullable Cleanable arenaUse;

    private NativeMemory(Mapping mapping, long sizeBytes) {
        this.mapping = mapping;
        this.sizeBytes = sizeBytes;
    }

    static NativeMemory of(Mapping mapping, long sizeBytes) {
        return mapping.usedBy(new NativeMemory(mapping, sizeBytes));
    }

    /** Size in bytes. */
    public long sizeBytes() {
        return sizeBytes;
    }

    /**
     * A new direct buffer over all of it, in big-endian order as every new buffer; at first it holds zeros.
     *
     * @throws IllegalStateException when it is closed, or larger than a buffer can be, 2,147,483,647 bytes
     */
    public ByteBuffer buffer() {
        if (sizeBytes > Integer.MAX_VALUE) {
            throw new IllegalStateException(
                    this + " is larger than a buffer: take parts of it by buffer(offsetBytes, sizeBytes)");
        }
        return buffer(0, (int) sizeBytes);
    }

    /**
     * A new direct buffer over a part of it.
     *
     * @param offsetBytes where it begins, from 0
     * @throws IndexOutOfBoundsException when that is no part of it
     * @throws IllegalStateException when it is closed
     */
    public synchronized ByteBuffer buffer(long offsetBytes, int sizeBytes) {
        if (offsetBytes < 0 || sizeBytes < 0 || offsetBytes > this.sizeBytes - sizeBytes) {
            throw new IndexOutOfBoundsException(
                    sizeBytes + " bytes from " + offsetBytes + " are not a part of " + this.sizeBytes + " bytes");
        }
        requireOpen();
        return mapping.buffer(offsetBytes, sizeBytes);
    }

    /**
     * All of it as a segment of {@code java.lang.foreign}: {@code memory.segment(MemorySegment.class)}. After {@link #close()} it and its
     * slices refuse every access, which buffers do not. They keep the memory from being freed as garbage.
     *
     * @param type {@code MemorySegment.class}, which Java 17 does not have
     * @throws UnsupportedOperationException before Java 22
     * @throws ClassCastException for another type
     * @throws IllegalStateException when it is closed
     */
    public synchronized <S> S segment(Class<S> type) {
        requireOpen();
        SegmentArena open = arena;
        if (open == null) {
            open = SegmentArena.open();
            arenaUse = mapping.use(open.scope());
            arena = open;
        }
        return open.segment(type, mapping.address(), sizeBytes);
    }

    /**
     * All of it as a range, for {@link Binder#pageNodes(MemoryRange)} and the like; keeps it from being freed as
     * garbage.
     *
     * @throws IllegalStateException when it is closed
     */
    public synchronized MemoryRange range() {
        requireOpen();
        return mapping.usedBy(MemoryRange.of(this));
    }

    /**
     * How many of its written pages each memory node has, as the kernel says (move_pages(2)).
     *
     * @return by node, in ascending order; pages that no thread has written to are not counted
     * @throws IllegalStateException when it is closed
     * @throws BindingException when the kernel refuses, as under a seccomp filter
     */
    public synchronized Map<Integer, Long> pagesByNode() {
        requireOpen();
        Map<Integer, Long> pages = new TreeMap<>();
        for (int node : RangeMemory.pageNodes(MemoryRange.of(this))) {
            if (node >= 0) {
                pages.merge(node, 1L, Long::sum);
            }
        }
        return pages;
    }

    /**
     * Asks the kernel for huge pages (madvise(2) with MADV_HUGEPAGE), where transparent_hugepage is "madvise" or "always". Call it
     * before the memory is written to; the kernel still decides for each page, as huge ones become free.
     *
     * @throws IllegalStateException when it is closed
     * @throws BindingException when this kernel has no transparent huge pages
     */
    public synchronized void useHugePages() {
        requireOpen();
        int result = NativeBridge.adviseHugePages(mapping.address(), mapping.bytes());
        if (result < 0) {
            throw BindingException.ofErrno(
                    "use", "huge pages for " + this, "", -result, "see /sys/kernel/mm/transparent_hugepage/enabled");
        }
    }

    /**
     * Releases the pages ({@code hwloc_free}). A second time does nothing.
     *
     * @throws IllegalStateException while a thread is inside a {@link #segment}
     * @throws BindingException when the kernel refuses
     */
    @Override
    public synchronized void close() {
        SegmentArena open = arena;
        Cleaner.Cleanable use = arenaUse;
        if (open != null && use != null && !mapping.isClosed()) {
            open.close();
            use.clean(); // no segment can reach the memory any more
        }
        mapping.close();
    }

    long address() {
        return mapping.address();
    }

    long mappedBytes() {
        return mapping.bytes();
    }

    private void requireOpen() {
        if (mapping.isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /** "native memory of 4096 bytes". */
    @Override
    public String toString() {
        return "native memory of " + sizeBytes + " bytes";
    }
}
