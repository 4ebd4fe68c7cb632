package org.berth.transport;

import java.util.concurrent.atomic.AtomicBoolean;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.FrameKind;
import org.berth.transport.link.Link;
import org.berth.transport.link.MessageBuffer;
import org.jspecify.annotations.Nullable;

/** A connection that has begun, and its receiver; the links that carry it report here. */
final class Session {
    private final Connection connection;
    private final Receiver receiver;
    private final AtomicBoolean ended = new AtomicBoolean();

    Session(Connection connection, Receiver receiver) {
        this.connection = connection;
        this.receiver = receiver;
    }

    Connection connection() {
        return connection;
    }

    /** A frame that came after the handshake. */
    void received(Link link, FrameKind kind, MessageBuffer message) {
        if (kind == FrameKind.DATA) {
            receiver.received(connection, message);
        } else {
            message.release();
            link.close(new TransportException(
                    TransportException.Kind.CORRUPT, link.peer() + " sent " + kind + " after the handshake"));
        }
    }

    void closed(Link link, @Nullable TransportException cause) {
        if (link == connection.link()) {
            if (ended.compareAndSet(false, true)) {
                connection.close(cause);
                receiver.closed(connection, cause);
            }
        } else if (connection.isControlledBy(link)) {
            connection.link().close(cause);
        }
        // Else the connection has moved to another link.
    }
}
