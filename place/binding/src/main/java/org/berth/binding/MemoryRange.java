package org.berth.binding;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.library.NativeLibrary;

/**
 * Memory outside the Java heap that can be bound to memory nodes: that of a direct buffer, of a
 * {@link NativeMemory} or of a native {@code java.lang.foreign.MemorySegment}. Keeps it from being freed by the garbage
 * collector. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class MemoryRange {
    private final long address;
    private final long sizeBytes;
    private final Object owner;

    private MemoryRange(long address, long sizeBytes, Object owner) {
        this.address = address;
        this.sizeBytes = sizeBytes;
        this.owner = owner;
    }

    /**
     * The memory of a direct buffer, from index 0 to the capacity.
     *
     * @throws IllegalArgumentException when the buffer is not direct
     * @throws BindingException when the native library cannot be loaded
     */
    public static MemoryRange of(ByteBuffer direct) {
        NativeLibrary.load();
        long address = direct.isDirect() ? NativeBridge.directBufferAddress(direct) : 0;
        if (address == 0) {
            throw new IllegalArgumentException("only a direct buffer has pages of its own, not " + direct);
        }
        return new MemoryRange(address, direct.capacity(), direct);
    }

    static MemoryRange of(NativeMemory memory) {
        return new MemoryRange(memory.address(), memory.sizeBytes(), memory);
    }

    /**
     * The memory of a native or mapped {@code MemorySegment} (Java 22 or newer), which can be larger than any buffer.
     * Its arena must stay open as long as the range is used: closing it frees the memory.
     *
     * @param memorySegment of the type {@code java.lang.foreign.MemorySegment}, which Java 17 does not have
     * @throws IllegalArgumentException when it is something else, on the heap, empty, or its arena is closed
     */
    public static MemoryRange ofSegment(Object memorySegment) {
        try {
            Class<?> type = Class.forName("java.lang.foreign.MemorySegment");
            if (!type.isInstance(memorySegment) || !(boolean) call(type, "isNative", boolean.class, memorySegment)) {
                throw notASegment(memorySegment);
            }
            Class<?> scopeType = Class.forName("java.lang.foreign.MemorySegment$Scope");
            Object scope = call(type, "scope", scopeType, memorySegment);
            long sizeBytes = (long) call(type, "byteSize", long.class, memorySegment);
            if (sizeBytes == 0 || !(boolean) call(scopeType, "isAlive", boolean.class, scope)) {
                throw notASegment(memorySegment);
            }
            return new MemoryRange((long) call(type, "address", long.class, memorySegment), sizeBytes, memorySegment);
        } catch (ReflectiveOperationException e) {
            throw notASegment(memorySegment);
        }
    }

    private static IllegalArgumentException notASegment(Object object) {
        return new IllegalArgumentException("only a native MemorySegment with an open arena has pages of its own"
                + " (Java 22 or newer; this is " + Runtime.version().feature() + "), not " + object);
    }

    private static Object call(Class<?> type, String method, Class<?> result, Object target)
            throws ReflectiveOperationException {
        MethodHandle handle = MethodHandles.publicLookup().findVirtual(type, method, MethodType.methodType(result));
        try {
            return handle.invoke(target);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new ReflectiveOperationException(e);
        }
    }

    /** Size in bytes. */
    public long sizeBytes() {
        return sizeBytes;
    }

    long address() {
        return address;
    }

    /** The object that must stay reachable while the memory is used. */
    Object owner() {
        return owner;
    }

    /** "a direct buffer of 4096 bytes". */
    @Override
    public String toString() {
        String kind = owner instanceof ByteBuffer
                ? "a direct buffer"
                : owner instanceof NativeMemory ? "native memory" : "a memory segment";
        return kind + " of " + sizeBytes + " bytes";
    }
}
