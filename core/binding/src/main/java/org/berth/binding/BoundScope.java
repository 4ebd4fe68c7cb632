package org.berth.binding;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A binding that ends: closing it gives back what was there before.
 *
 * <p>Closing twice does nothing the second time. Scopes of one thread nest, so close them in reverse order, as
 * try-with-resources does.
 */
public final class BoundScope implements AutoCloseable {
    private final Runnable restore;
    private final AtomicBoolean open = new AtomicBoolean(true);

    BoundScope(Runnable restore) {
        this.restore = restore;
    }

    /** Throws BindingException when the former state cannot be restored, with the reason. */
    @Override
    public void close() {
        if (open.getAndSet(false)) {
            restore.run();
        }
    }
}
