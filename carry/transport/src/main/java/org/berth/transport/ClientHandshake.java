package org.berth.transport;

import java.util.concurrent.TimeUnit;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.FrameKind;
import org.berth.transport.link.Handshake;
import org.berth.transport.link.Link;
import org.berth.transport.link.LinkReceiver;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.progress.Signal;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of one link: first one frame of the handshake and its answer, then messages. Fields are written
 * before the signal is set, and read after it.
 */
final class ClientHandshake implements LinkReceiver {
    private final Signal answered = new Signal();
    private @Nullable FrameKind kind;
    private Handshake.@Nullable Welcome welcome;
    private @Nullable TransportException failure;
    private volatile @Nullable Session session;

    /**
     * Sends the first frame of a link and waits for its answer.
     *
     * @param wanted the kind of answer; every other one is a failure
     */
    void exchange(Link link, FrameKind first, MessageBuffer message, FrameKind wanted, long timeoutNanos)
            throws TransportException {
        link.send(first, message, null);
        boolean heard = link.loop().await(answered, timeoutNanos);
        TransportException failed = failure;
        if (!heard) {
            failed = new TransportException(
                    Thread.currentThread().isInterrupted()
                            ? TransportException.Kind.CLOSED
                            : TransportException.Kind.TIMEOUT,
                    link.peer() + " did not answer " + first + " in " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                            + " ms over " + link.provider());
        } else if (failed == null && kind != wanted) {
            failed = new TransportException(
                    TransportException.Kind.CORRUPT, link.peer() + " answered " + first + " with " + kind);
        }
        if (failed != null) {
            link.close(failed);
            throw failed;
        }
        link.trust(null);
    }

    /** What the server offers; after an exchange for {@link FrameKind#WELCOME}. */
    Handshake.Welcome welcome() {
        Handshake.Welcome known = welcome;
        if (known == null) {
            throw new IllegalStateException("there was no WELCOME");
        }
        return known;
    }

    /** Sets where messages of this link go; called before the other side may send any. */
    void begin(Session begun) {
        session = begun;
    }

    @Override
    public void received(Link link, FrameKind frame, MessageBuffer message) {
        Session begun = session;
        if (answered.isSet() && begun != null) {
            begun.received(link, frame, message);
            return;
        }
        try {
            kind = frame;
            if (frame == FrameKind.WELCOME) {
                welcome = Handshake.Welcome.read(message.bytes());
            } else if (frame == FrameKind.REFUSED) {
                failure = new TransportException(
                        TransportException.Kind.REFUSED,
                        link.peer() + " refused the connection: "
                                + Handshake.Refusal.read(message.bytes()).reason());
            }
        } catch (TransportException e) {
            failure = e;
        } finally {
            message.release();
        }
        answered.set();
    }

    @Override
    public void closed(Link link, @Nullable TransportException cause) {
        if (!answered.isSet()) {
            failure = new TransportException(
                    TransportException.Kind.CLOSED,
                    link.peer() + " closed the connection in the handshake"
                            + (cause == null ? "" : ": " + cause.getMessage()),
                    cause);
            answered.set();
        }
        Session begun = session;
        if (begun != null) {
            begun.closed(link, cause);
        }
    }
}
