package org.berth.binding.internal.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.berth.binding.errors.BindingException;
import org.berth.topology.FailureKind;
import org.jspecify.annotations.Nullable;

/**
 * Counts the memory that was mapped here, and keeps it, together with the JVM's own direct buffers, below the JVM's
 * limit for those. The
 * JVM does not count what native code has mapped, so that without this nothing would ever collect the objects that hold
 * it. Before it
 * refuses, it collects and waits as {@code java.nio.Bits} does for {@code ByteBuffer.allocateDirect}. Thread-safe.
 */
public final class DirectMemory {
    /** Number of pauses, as in java.nio.Bits: 1, 2, 4, ... ms, half a second in all. */
    private static final int WAITS = 9;

    private static final String OPTION = "MaxDirectMemorySize";
    private static final AtomicLong RESERVED = new AtomicLong();

    private DirectMemory() {}

    /** Found when the first memory is asked for. */
    private static final class Limit {
        static final long BYTES = limitBytes();
        static final @Nullable BufferPoolMXBean BUFFERS = buffers();
    }

    /** BindingException when there is no room even after collections. */
    public static void reserve(long bytes, String target, String policy) {
        if (!afterCollections(() -> tryReserve(bytes))) {
            throw BindingException.of(
                    FailureKind.NOT_ALLOWED,
                    "allocate",
                    target,
                    policy,
                    "of the JVM's limit of " + Limit.BYTES + " bytes of direct memory, " + RESERVED.get()
                            + " are in use by such memory and " + buffersBytes() + " by direct buffers",
                    "close what is no longer needed, or raise -XX:" + OPTION);
        }
    }

    public static void release(long bytes) {
        RESERVED.addAndGet(-bytes);
    }

    /** Whether an attempt succeeds, at once or after garbage was collected; an interrupt ends the waiting. */
    public static boolean afterCollections(BooleanSupplier attempt) {
        if (attempt.getAsBoolean()) {
            return true;
        }
        System.gc();
        try {
            for (int wait = 0; wait < WAITS; wait++) {
                if (attempt.getAsBoolean()) {
                    return true;
                }
                Thread.sleep(1L << wait);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return attempt.getAsBoolean();
    }

    private static boolean tryReserve(long bytes) {
        long before = RESERVED.get();
        while (bytes <= Limit.BYTES - buffersBytes() - before) {
            if (RESERVED.compareAndSet(before, before + bytes)) {
                return true;
            }
            before = RESERVED.get();
        }
        return false;
    }

    private static long buffersBytes() {
        BufferPoolMXBean buffers = Limit.BUFFERS;
        return buffers == null ? 0 : buffers.getMemoryUsed();
    }

    /** Without the option the limit is that of the heap, which holds in a runtime without java.management, too. */
    private static long limitBytes() {
        try {
            HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            VMOption option = jvm.getVMOption(OPTION);
            return option.getOrigin() == VMOption.Origin.DEFAULT
                    ? Runtime.getRuntime().maxMemory()
                    : Long.parseLong(option.getValue());
        } catch (LinkageError | RuntimeException e) {
            return Runtime.getRuntime().maxMemory();
        }
    }

    private static @Nullable BufferPoolMXBean buffers() {
        try {
            return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                    .filter(pool -> pool.getName().equals("direct"))
                    .findFirst()
                    .orElse(null);
        } catch (LinkageError e) {
            return null;
        }
    }
}
