package org.berth.binding.internal.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An arena of {@code java.lang.foreign} whose segments lie over native memory: after it is closed, they refuse every access. It is
 * called by method handles, because Java 17, for which Berth is compiled, does not have it. A class for newer versions in the jar could
 * not give {@link NativeMemory} a method more: all versions of a class in a jar have the same API.
 */
public final class SegmentArena {
    private static final int FIRST_JAVA = 22;
    private static final String ARENA = "java.lang.foreign.Arena";
    private static final String SEGMENT = "java.lang.foreign.MemorySegment";
    private static final String SCOPE = "java.lang.foreign.MemorySegment$Scope";

    private final Object arena;

    private SegmentArena(Object arena) {
        this.arena = arena;
    }

    /** UnsupportedOperationException before Java 22. */
    public static SegmentArena open() {
        if (Runtime.version().feature() < FIRST_JAVA) {
            throw new UnsupportedOperationException("a MemorySegment needs Java " + FIRST_JAVA + " or newer, this is "
                    + Runtime.version().feature() + ": use buffer()");
        }
        return new SegmentArena(
                call(() -> lookup().findStatic(type(ARENA), "ofShared", MethodType.methodType(type(ARENA)))
                        .invoke()));
    }

    /** Every segment of the arena refers to it. */
    public Object scope() {
        return call(() -> virtual(ARENA, "scope", SCOPE).invoke(arena));
    }

    /** ClassCastException when the type is not that of a segment. */
    public <S> S segment(Class<S> type, long address, long sizeBytes) {
        return type.cast(call(() -> {
            Object start = lookup().findStatic(
                            type(SEGMENT), "ofAddress", MethodType.methodType(type(SEGMENT), long.class))
                    .invoke(address);
            return virtual(SEGMENT, "reinterpret", SEGMENT, long.class, type(ARENA), Consumer.class)
                    .invoke(start, sizeBytes, arena, (Consumer<?>) null);
        }));
    }

    /** IllegalStateException while a thread is inside a segment. */
    public void close() {
        call(() -> virtual(ARENA, "close", null).invoke(arena));
    }

    private interface Action {
        Object run() throws Throwable;
    }

    private static Object call(Action action) {
        try {
            return action.run();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandles.Lookup lookup() {
        return MethodHandles.lookup();
    }

    private static MethodHandle virtual(String owner, String name, @Nullable String result, Class<?>... parameters)
            throws ReflectiveOperationException {
        Class<?> returned = result == null ? void.class : type(result);
        return lookup().findVirtual(type(owner), name, MethodType.methodType(returned, parameters));
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(name);
    }
}
