package org.berth.transport.link;

import org.berth.transport.failure.TransportException;
import org.berth.transport.progress.ProgressLoop;
import org.jspecify.annotations.Nullable;

/** A way for frames between two processes, made by one provider. Thread-safe. It is not part of the API. */
public interface Link {
    /** The provider's name. */
    String provider();

    /** The peer, for messages. */
    String peer();

    /** The loop that receives for it. */
    ProgressLoop loop();

    /**
     * Sends a message after those that were sent before; does not block. The engine owns the buffer from now on, also
     * when it throws.
     *
     * @throws TransportException CLOSED when the link is closed, TOO_LARGE
     */
    void send(FrameKind kind, MessageBuffer message, @Nullable SendCompletion completion) throws TransportException;

    /** The size of messages that wait to be sent. */
    long queuedBytes();

    /** The time at which something was last received, as {@link System#nanoTime}. */
    long receivedNanos();

    /** Whether it does not notice that its peer died, so that a TCP connection must stand for it. */
    boolean needsControl();

    /**
     * From now on the peer may send messages of the full size.
     *
     * @param owner whose share of the buffers for messages that arrive they are charged to; null for a server, which
     * this side     has chosen itself
     */
    void trust(@Nullable String owner);

    /** Closes it as soon as all is sent. */
    void closeWhenSent();

    /** Closes it; messages that wait fail. The receiver hears of it on the loop. Does nothing the second time. */
    void close(@Nullable TransportException cause);
}
