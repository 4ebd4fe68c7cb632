package org.berth.transport;

import java.nio.ByteBuffer;
import org.berth.transport.failure.TransportException;

/**
 * Decides about the connections that peers open. Called on progress threads; it must not block.
 *
 * @since 0.1.0
 */
public interface Acceptor {
    /**
     * A peer wants to connect.
     *
     * @param connection the new connection; nothing may be sent before the peer's first message
     * @param introduction what the client said of itself, valid during the call
     * @return the receiver of the connection's messages
     * @throws TransportException to refuse; the client sees the message
     */
    Receiver accept(Connection connection, ByteBuffer introduction) throws TransportException;
}
