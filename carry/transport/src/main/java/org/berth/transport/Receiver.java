package org.berth.transport;

import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the messages of one connection. The engine calls it from one thread at a time, in the order of the messages: from the
 * progress thread that serves the connection, or from a thread that waits in {@link Connection#await}. It must not block.
 * An exception that it throws closes the connection.
 *
 * @since 0.1.0
 */
public interface Receiver {
    /**
     * A whole message has arrived.
     *
     * @param message leased to the receiver, which must {@linkplain MessageBuffer#release release} it, on any thread
     */
    void received(Connection connection, MessageBuffer message);

    /**
     * The connection is closed; no other call follows.
     *
     * @param cause null when one side closed it in an orderly way
     */
    void closed(Connection connection, @Nullable TransportException cause);
}
