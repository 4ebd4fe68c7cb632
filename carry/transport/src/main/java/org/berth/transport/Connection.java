package org.berth.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.berth.transport.failure.TransportException;
import org.berth.transport.internal.stream.TcpSockets;
import org.berth.transport.link.EngineParts;
import org.berth.transport.link.FrameKind;
import org.berth.transport.link.Link;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.link.SendCompletion;
import org.berth.transport.progress.Signal;
import org.jspecify.annotations.Nullable;

/**
 * A way for messages between two processes, in both directions and in order. Thread-safe.
 *
 * @since 0.1.0
 */
public final class Connection implements AutoCloseable {
    private final EngineParts parts;
    private final String peer;
    private volatile Link link;
    /** The TCP connection of a link that does not tell when its peer dies; else the link itself. */
    private volatile Link control;

    private volatile String owner;

    Connection(EngineParts parts, Link first) {
        this.parts = parts;
        this.peer = first.peer();
        this.link = first;
        this.control = first;
        this.owner = first.peer().replaceFirst(":\\d+$", "");
    }

    /**
     * The user of this connection, for an {@link Acceptor} that knows the user: what arrives over all connections of
     * one owner holds
     * at most half of the buffers, so that no user takes them from others. Without it, the peer's host is the owner.
     *
     * @param user any name that is the same for all connections of this user
     */
    public void belongsTo(String user) {
        owner = user;
    }

    String owner() {
        return owner;
    }

    /** The provider that carries it now: "tcp", "local" or "ucx". */
    public String provider() {
        return link.provider();
    }

    /** The peer's address and port. */
    public String peer() {
        return peer;
    }

    /**
     * The peer's address and port, of the TCP connection by which this one began.
     *
     * @throws IllegalStateException never: the peer is known by numbers, which need no name service
     */
    public InetSocketAddress peerAddress() {
        try {
            return (InetSocketAddress) new TcpSockets().addressOf(peer);
        } catch (IOException neverOfNumbers) {
            throw new IllegalStateException(neverOfNumbers);
        }
    }

    /**
     * A buffer to send, whose limit is {@code size}. Waits while all are leased; inside a {@link Receiver} it never
     * waits, as the thread that waits is the one that would send what is leased.
     *
     * @throws TransportException EXHAUSTED when none was released in time, TOO_LARGE
     */
    public MessageBuffer lease(int size, long timeoutNanos) throws TransportException {
        if (size > parts.limits().largestMessageBytes()) {
            throw new TransportException(
                    TransportException.Kind.TOO_LARGE,
                    "a message of " + size + " bytes is not sent: the limit is "
                            + parts.limits().largestMessageBytes() + " (max-message)");
        }
        return parts.sendBuffers().lease(size, link.loop().isDriver() ? 0 : timeoutNanos);
    }

    /**
     * Sends a message after those that were sent before; does not block. The engine owns the buffer from now on and
     * releases it, also when it throws.
     *
     * @throws TransportException CLOSED when the connection is closed
     */
    public void send(MessageBuffer message) throws TransportException {
        send(message, null);
    }

    /**
     * Sends a message and tells when it is sent.
     *
     * @throws TransportException CLOSED when the connection is closed; the completion hears of it too
     */
    public void send(MessageBuffer message, @Nullable SendCompletion completion) throws TransportException {
        link.send(FrameKind.DATA, message, completion);
    }

    /** The size of messages that wait for the peer to take them: a producer that sees it grow should wait. */
    public long queuedBytes() {
        return link.queuedBytes();
    }

    /** The time at which something was last received from the peer, as {@link System#nanoTime}. */
    public long receivedNanos() {
        return link.receivedNanos();
    }

    /**
     * Waits for a signal that a receiver of this connection sets. The calling thread receives messages itself
     * meanwhile, for all connections of the same progress thread, unless another thread does.
     *
     * @return false when the time is over, the engine is closed, or the thread is interrupted, whose flag stays set
     */
    public boolean await(Signal signal, long timeoutNanos) {
        return link.loop().await(signal, timeoutNanos);
    }

    /** Closes it; messages that wait fail. The receiver hears of it later. Does nothing the second time. */
    @Override
    public void close() {
        close(null);
    }

    /** Closes it for a reason, which the receiver is told. */
    public void close(@Nullable TransportException cause) {
        link.close(cause);
        if (control != link) {
            control.close(null);
        }
    }

    Link link() {
        return link;
    }

    /** Goes on over a new link. */
    void moveTo(Link better, boolean keepsControl) {
        link = better;
        if (!keepsControl) {
            control = better;
        }
    }

    boolean isControlledBy(Link one) {
        return one == control;
    }
}
