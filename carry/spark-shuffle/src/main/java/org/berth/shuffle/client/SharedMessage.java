package org.berth.shuffle.client;

import java.util.concurrent.atomic.AtomicInteger;
import org.berth.transport.link.MessageBuffer;

/** A received message that several blocks use; the last one that releases it returns it to the pool. Thread-safe. */
final class SharedMessage {
    private final MessageBuffer message;
    private final Runnable whenReleased;
    private final AtomicInteger users = new AtomicInteger(1);

    SharedMessage(MessageBuffer message, Runnable whenReleased) {
        this.message = message;
        this.whenReleased = whenReleased;
    }

    SharedMessage retain() {
        users.incrementAndGet();
        return this;
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            message.release();
            whenReleased.run();
        }
    }
}
