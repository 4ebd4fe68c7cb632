package org.berth.binding.internal.ids;

import java.lang.reflect.Method;
import org.berth.binding.errors.BindingException;
import org.berth.topology.FailureKind;
import org.jspecify.annotations.Nullable;

/** Tells virtual threads from platform threads on the JVMs that have both (21 and later). */
public final class PlatformThreads {
    private static final @Nullable Method IS_VIRTUAL = isVirtual();

    private PlatformThreads() {}

    /** Binding a virtual thread would bind its carrier, and with it whatever runs there next. */
    public static void requirePlatform(String operation, String target) {
        requirePlatform(Thread.currentThread(), operation, target);
    }

    public static void requirePlatform(Thread thread, String operation, String target) {
        if (isVirtual(thread)) {
            throw BindingException.of(
                    FailureKind.INVALID,
                    operation,
                    target,
                    "",
                    "it is a virtual thread",
                    "use the platform threads that carry it");
        }
    }

    public static boolean isVirtual(Thread thread) {
        Method isVirtual = IS_VIRTUAL;
        try {
            return isVirtual != null && (Boolean) isVirtual.invoke(thread);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Thread.isVirtual is public", e);
        }
    }

    private static @Nullable Method isVirtual() {
        try {
            return Thread.class.getMethod("isVirtual");
        } catch (NoSuchMethodException e) {
            // Java 17 to 20: every thread is a platform thread.
            return null;
        }
    }
}
