package org.berth.transport.progress;

import java.util.concurrent.locks.LockSupport;
import org.berth.transport.Connection;
import org.jspecify.annotations.Nullable;

/**
 * What one thread waits for with {@link Connection#await}, such as the reply to its request. A receiver sets it. It can be
 * used again after {@link #reset}, so that a thread needs one for all of its requests.
 *
 * @since 0.1.0
 */
public final class Signal {
    private volatile boolean set;
    private volatile @Nullable Thread waiter;
    private volatile @Nullable ProgressLoop driven;

    /** It is not set. */
    public Signal() {}

    /** Ends the wait, now or when it begins. Any thread may call it; what it wrote before is visible to the waiter. */
    public void set() {
        set = true;
        Thread thread = waiter;
        if (thread != null && thread != Thread.currentThread()) {
            ProgressLoop loop = driven;
            if (loop == null) {
                LockSupport.unpark(thread);
            } else {
                loop.wakeup();
            }
        }
    }

    /** Whether it was set since the last reset. */
    public boolean isSet() {
        return set;
    }

    /** Prepares it for the next wait; only the waiting thread may call it, and only when it does not wait. */
    public void reset() {
        set = false;
    }

    void waits(@Nullable Thread thread) {
        waiter = thread;
    }

    void drives(@Nullable ProgressLoop loop) {
        driven = loop;
    }

    void lead() {
        LockSupport.unpark(waiter);
    }
}
