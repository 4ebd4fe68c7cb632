package org.berth.binding;

/**
 * A binding that ends: closing it gives back what was there before.
 *
 * <p>Closing twice does nothing the second time. Scopes of one thread nest, so close them in reverse order, as
 * try-with-resources does.
 *
 * @since 0.1.0
 */
public final class BoundScope implements AutoCloseable {
    private final Runnable restore;
    private boolean open = true;

    BoundScope(Runnable restore) {
        this.restore = restore;
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
