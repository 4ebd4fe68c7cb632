package org.berth.binding.internal.jvm;

import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.topology.FailureKind;

/**
 * Asks a program before its JVM ends. It needs no SecurityManager, no agent at the start of the JVM, and no changed
 * class. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ExitHook {
    private ExitHook() {}

    /**
     * Calls the hook at the start of each {@code Runtime.exit} and {@code Runtime.halt}, in the thread that calls them. What the hook
     * throws goes to the caller, and the JVM lives on; when it returns, the JVM ends as it would have. A JVM has one such hook.
     *
     * @throws BindingException when the library cannot be loaded, this JVM does not allow it, or there is a hook
     */
    public static synchronized void install(Runnable hook) {
        NativeLibrary.load();
        int result;
        try {
            result = NativeBridge.hookExits(hook);
        } catch (LinkageError e) {
            throw BindingException.of(
                    FailureKind.UNAVAILABLE,
                    "hook",
                    "the end of the JVM",
                    String.valueOf(e.getMessage()),
                    "run on HotSpot 17 or later",
                    e);
        }
        if (result < 0) {
            throw BindingException.ofErrno(
                    "hook", "the end of the JVM", "", -result, "run on HotSpot 17 or later, with one hook");
        }
    }
}
