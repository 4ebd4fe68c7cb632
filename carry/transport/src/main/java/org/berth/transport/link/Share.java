package org.berth.transport.link;

/**
 * What one user or host holds of the buffers for messages that arrive, over all of its connections. A message is charged from
 * the announcement of its length until its receiver has released it.
 *
 * <p>It is not part of the API.
 */
public final class Share {
    private final String owner;
    /** Guarded by the lock of the pool. */
    private long heldBytes;

    /** Links that use it; guarded by {@link Shares}. */
    int links;

    Share(String owner) {
        this.owner = owner;
    }

    String owner() {
        return owner;
    }

    long heldBytes() {
        return heldBytes;
    }

    void charge(long bytes) {
        heldBytes += bytes;
    }
}
