package org.berth.binding;

/**
 * A binding that ends: closing it restores what was there before.
 *
 * <p>Closing twice does nothing the second time. Scopes of the same kind of one thread or process may be closed in any
 * order: the state before the first one returns when the last one is closed. A thread's scope and one of its whole
 * process do not know each other: close these in reverse order, as try-with-resources does. A thread that is started
 * inside a scope inherits the binding in force, and keeps it. {@code Runtime.availableProcessors()} in a bound thread, and processes that
 * it starts, have the CPUs of the scope as well, which is what its caller asked for; those of a {@link SlotBinder} have all.
 *
 * @since 0.1.0
 */
public final class BoundScope implements AutoCloseable {
    private final Runnable restore;
    private boolean open = true;

    private BoundScope(Runnable restore) {
        this.restore = restore;
    }

    /**
     * A scope of a {@link Binder} of your own, such as one for tests.
     *
     * @param restore runs when it is closed the first time, and again if it throws
     */
    public static BoundScope of(Runnable restore) {
        return new BoundScope(restore);
    }

    /** Throws BindingException when the former state cannot be restored, with the reason; it can be tried again. */
    @Override
    public synchronized void close() {
        if (open) {
            restore.run();
            open = false;
        }
    }
}
