package org.berth.transport.internal.stream;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.EngineParts;
import org.berth.transport.link.FrameKind;
import org.berth.transport.link.Link;
import org.berth.transport.link.LinkFailures;
import org.berth.transport.link.LinkReceiver;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.link.SendCompletion;
import org.berth.transport.link.Share;
import org.berth.transport.progress.ProgressLoop;
import org.jspecify.annotations.Nullable;

/**
 * A link over a socket of the JDK, of TCP or of the Unix domain: {@link StreamReader} and {@link StreamWriter}
 * together.
 */
public final class StreamLink implements Link, StreamPoller.Attachment {
    /** How long a peer may take until it is let in. */
    public static final long HANDSHAKE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private enum State {
        OPEN,
        CLOSING,
        CLOSED
    }

    private final String provider;
    private final String peer;
    private final SocketChannel channel;
    private final ProgressLoop loop;
    private final EngineParts parts;
    private final StreamReader reader;
    private final StreamWriter writer;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final long beganNanos = System.nanoTime();
    /** The share of a peer that has connected and was accepted. */
    private volatile @Nullable Share share;

    private volatile boolean trusted;
    private boolean pinged;
    private volatile @Nullable SelectionKey key;
    private volatile @Nullable TransportException cause;

    /** Seen on the loop only, but for the start. */
    private @Nullable LinkReceiver receiver;

    StreamLink(
            String provider,
            String peer,
            SocketChannel channel,
            StreamPoller poller,
            ProgressLoop loop,
            EngineParts parts) {
        this.provider = provider;
        this.peer = peer;
        this.channel = channel;
        this.loop = loop;
        this.parts = parts;
        this.reader = new StreamReader(this, channel, poller, parts);
        this.writer = new StreamWriter(this, channel, parts);
    }

    /** Begins to receive. */
    void start(StreamPoller poller, LinkReceiver linkReceiver) throws IOException {
        receiver = linkReceiver;
        key = poller.register(channel, SelectionKey.OP_READ, this);
        loop.wakeup();
    }

    @Override
    public String provider() {
        return provider;
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public ProgressLoop loop() {
        return loop;
    }

    @Override
    public long queuedBytes() {
        return writer.queuedBytes();
    }

    @Override
    public long receivedNanos() {
        return reader.receivedNanos();
    }

    @Override
    public boolean needsControl() {
        return false;
    }

    @Override
    public void trust(@Nullable String owner) {
        if (owner != null) {
            share = parts.shares().enter(owner);
        }
        trusted = true;
        parts.strangers().links().remove(this);
        reader.trust();
    }

    @Nullable
    Share share() {
        return share;
    }

    @Override
    public @Nullable Object owner() {
        return trusted ? share : StreamLink.class;
    }

    @Override
    public void send(FrameKind kind, MessageBuffer message, @Nullable SendCompletion completion)
            throws TransportException {
        message.onSent(completion);
        int length = message.bytes().limit();
        if (length > parts.limits().largestMessageBytes()) {
            TransportException failure = LinkFailures.tooLarge(length, parts);
            message.finish(failure);
            throw failure;
        }
        writer.send(kind, message);
    }

    /** Asks for one more kind of event, or for one less. */
    void interest(int operation, boolean wanted) {
        SelectionKey registered = key;
        if (registered != null && registered.isValid()) {
            if (wanted) {
                registered.interestOpsOr(operation);
            } else {
                registered.interestOpsAnd(~operation);
            }
            loop.wakeup();
        }
    }

    /** On the loop: a whole frame is there. */
    void deliver(FrameKind kind, MessageBuffer message) {
        LinkReceiver to = receiver;
        if (to == null || state.get() == State.CLOSED || kind == FrameKind.PONG) {
            message.release();
            return;
        }
        if (kind == FrameKind.PING) {
            message.release();
            sendEmpty(FrameKind.PONG);
            return;
        }
        parts.counters().messagesReceived.increment();
        parts.counters().bytesReceived.add(message.bytes().limit());
        to.received(this, kind, message);
    }

    boolean isClosed() {
        return state.get() == State.CLOSED;
    }

    TransportException closedFailure() {
        return LinkFailures.closed(peer, cause);
    }

    @Override
    public void ready(int operations) {
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            writer.flush();
        }
        try {
            if (writer.queuedBytes() <= parts.limits().windowBytes() / 2) {
                reader.peerHasTaken();
            }
            if ((operations & SelectionKey.OP_READ) != 0) {
                reader.read();
            }
        } catch (RuntimeException | Error e) {
            close(LinkFailures.receiverFailed(peer, e));
        }
    }

    @Override
    public void tick(long nowNanos) {
        long stall = parts.limits().stallNanos();
        if (reader.stalledSince(nowNanos) > stall) {
            close(timeout("has stopped in the middle of a message for ", stall));
        } else if (reader.tooSlow(nowNanos, stall)) {
            close(timeout("sends a message too slowly, at less than 16 KiB/s after ", stall));
        } else if (writer.stalledSince(nowNanos) > stall) {
            close(timeout("has accepted none of " + writer.queuedBytes() + " bytes for ", stall));
        } else if (!trusted && nowNanos - beganNanos > HANDSHAKE_NANOS) {
            close(new TransportException(
                    TransportException.Kind.TIMEOUT,
                    peer + " has not finished the handshake in " + HANDSHAKE_NANOS / 1_000_000 + " ms"));
        } else {
            ping(nowNanos - reader.receivedNanos());
        }
    }

    private void ping(long silentNanos) {
        long interval = parts.limits().pingNanos();
        if (silentNanos < interval) {
            pinged = false;
        } else if (silentNanos > 2 * interval) {
            close(new TransportException(
                    TransportException.Kind.TIMEOUT,
                    peer + " was silent for " + silentNanos / 1_000_000 + " ms and answered no ping (ping-interval)"));
        } else if (!pinged && trusted) {
            pinged = true;
            sendEmpty(FrameKind.PING);
        }
    }

    /** Nothing depends on it, so that it may be left out when there is no buffer. */
    private void sendEmpty(FrameKind kind) {
        try {
            MessageBuffer empty = parts.sendBuffers().tryLease(0);
            if (empty != null) {
                send(kind, empty, null);
            }
        } catch (TransportException e) {
            close(e);
        }
    }

    private TransportException timeout(String what, long stallNanos) {
        return new TransportException(
                TransportException.Kind.TIMEOUT, peer + " " + what + stallNanos / 1_000_000 + " ms (stall-timeout)");
    }

    @Override
    public void closeWhenSent() {
        if (state.compareAndSet(State.OPEN, State.CLOSING)) {
            writer.flush();
            closeIfSent();
        }
    }

    void closeIfSent() {
        if (state.get() == State.CLOSING && writer.isEmpty()) {
            close(null);
        }
    }

    @Override
    public void close(@Nullable TransportException why) {
        State before = state.getAndSet(State.CLOSED);
        if (before == State.CLOSED) {
            return;
        }
        cause = why;
        if (why != null) {
            parts.counters().failures.increment();
        }
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            // Nothing can be saved of it.
        }
        writer.fail(closedFailure());
        // Not at once: the calling thread may be in the middle of a read.
        loop.execute(this::dispose);
    }

    @Override
    public void pollerClosed(@Nullable TransportException why) {
        close(why);
        dispose();
    }

    private void dispose() {
        reader.dispose();
        parts.strangers().links().remove(this);
        Share left = share;
        share = null;
        if (left != null) {
            parts.shares().leave(left);
        }
        LinkReceiver to = receiver;
        receiver = null;
        if (to != null) {
            to.closed(this, cause);
        }
    }
}
