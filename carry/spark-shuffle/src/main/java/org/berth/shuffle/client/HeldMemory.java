package org.berth.shuffle.client;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits how much of the transport's pool blocks may hold that wait for a reducer. A task may leave blocks of one shuffle
 * unread until it has read all of another; if those filled the pool, the others could never arrive. Thread-safe.
 */
public final class HeldMemory {
    private final long limitBytes;
    private final AtomicLong heldBytes = new AtomicLong();

    public HeldMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    boolean tryTake(long bytes) {
        long before = heldBytes.getAndAdd(bytes);
        if (before + bytes <= limitBytes) {
            return true;
        }
        heldBytes.addAndGet(-bytes);
        return false;
    }

    void give(long bytes) {
        heldBytes.addAndGet(-bytes);
    }

    long heldBytes() {
        return heldBytes.get();
    }
}
