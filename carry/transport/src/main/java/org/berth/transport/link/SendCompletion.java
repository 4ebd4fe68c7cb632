package org.berth.transport.link;

import org.berth.transport.failure.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * Hears once of a message that the engine took: it is sent, or failed. Called on any thread; it must not block.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SendCompletion {
    /**
     * The message has left the process's buffers, which does not mean that the peer has it.
     *
     * @param failure null when it was sent
     */
    void done(@Nullable TransportException failure);
}
