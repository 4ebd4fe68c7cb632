package org.berth.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of a socket into frames. Small messages come many to a read and are copied once; the rest of a large one is
 * read to where it stays. While no buffer is free it reads nothing, so that the peer's sending stops too. For the thread that
 * drives the loop.
 */
final class StreamReader {
    /** Below this a copy costs less than a call of the kernel. */
    private static final int DIRECT_READ_BYTES = 16 * 1024;
    /** What one link may read before the others have their turn. */
    private static final int TURN_BYTES = 1 << 20;
    /** What a peer may send before it has been accepted. */
    private static final int UNKNOWN_PEER_BYTES = 64 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final StreamLink link;
    private final SocketChannel channel;
    private final StreamPoller poller;
    private final EngineParts parts;

    /** The beginning of a header, or what could not be handled for want of a buffer; ready to be read. */
    private ByteBuffer carried = NOTHING;

    private @Nullable MessageBuffer current;
    private FrameKind currentKind = FrameKind.DATA;
    /** No buffer is free. */
    private boolean paused;
    /** The peer has a window full of messages to take. */
    private boolean blocked;

    private volatile int largest = UNKNOWN_PEER_BYTES;
    private volatile long receivedNanos = System.nanoTime();

    StreamReader(StreamLink link, SocketChannel channel, StreamPoller poller, EngineParts parts) {
        this.link = link;
        this.channel = channel;
        this.poller = poller;
        this.parts = parts;
    }

    long receivedNanos() {
        return receivedNanos;
    }

    /** From now on the peer may send messages of the full size. */
    void trust() {
        largest = parts.limits().largestMessageBytes();
    }

    /** 0 between messages, and while it is this side that does not read. */
    long stalledSince(long nowNanos) {
        boolean within = current != null || carried.hasRemaining();
        return within && !paused && !blocked ? nowNanos - receivedNanos : 0;
    }

    void read() {
        try {
            int turn = TURN_BYTES;
            while (turn > 0 && !paused && !link.isClosed() && !waitsForPeer()) {
                int wanted;
                int count;
                MessageBuffer message = current;
                if (message != null && message.bytes().remaining() >= DIRECT_READ_BYTES) {
                    wanted = message.bytes().remaining();
                    count = channel.read(message.bytes());
                } else {
                    ByteBuffer ahead = poller.readAhead().clear().put(carried);
                    carried = NOTHING;
                    wanted = ahead.remaining();
                    count = channel.read(ahead);
                    cut(ahead.flip());
                }
                if (count < 0) {
                    link.close(endOfStream());
                    return;
                }
                if (count > 0) {
                    receivedNanos = System.nanoTime();
                }
                deliverIfWhole();
                turn = count < wanted ? 0 : turn - count;
            }
        } catch (TransportException e) {
            link.close(e);
        } catch (IOException e) {
            link.close(new TransportException(
                    TransportException.Kind.CLOSED, "cannot receive from " + link.peer() + ": " + e.getMessage(), e));
        }
    }

    /** A peer that asks but does not take its answers is not read until it does. */
    private boolean waitsForPeer() {
        if (!blocked && link.queuedBytes() > parts.limits().windowBytes()) {
            blocked = true;
            parts.counters().pauses.increment();
            link.interest(SelectionKey.OP_READ, false);
        }
        return blocked;
    }

    /** The peer has taken half of the window. */
    void peerHasTaken() {
        if (blocked) {
            blocked = false;
            receivedNanos = System.nanoTime();
            if (!paused && !link.isClosed()) {
                link.interest(SelectionKey.OP_READ, true);
                read();
            }
        }
    }

    private @Nullable TransportException endOfStream() {
        return current == null && !carried.hasRemaining()
                ? null
                : new TransportException(
                        TransportException.Kind.CLOSED,
                        link.peer() + " closed the connection in the middle of a message");
    }

    private void cut(ByteBuffer from) throws TransportException {
        while (from.hasRemaining() && !link.isClosed()) {
            if (current == null && !begin(from)) {
                carried = ByteBuffer.allocate(from.remaining()).put(from).flip();
                return;
            }
            if (current != null) {
                ByteBuffer to = current.bytes();
                int count = Math.min(to.remaining(), from.remaining());
                to.put(to.position(), from, from.position(), count).position(to.position() + count);
                from.position(from.position() + count);
                deliverIfWhole();
            }
        }
    }

    /** Takes a header; false when it is incomplete, or there is no buffer for its message. */
    private boolean begin(ByteBuffer from) throws TransportException {
        if (from.remaining() < Frame.HEADER_BYTES) {
            return false;
        }
        FrameKind kind = Frame.kind(from, from.position());
        int length = Frame.length(from, from.position(), largest);
        MessageBuffer message = parts.receiveBuffers().tryLease(length);
        if (message == null) {
            pause(length);
            return false;
        }
        current = message;
        currentKind = kind;
        from.position(from.position() + Frame.HEADER_BYTES);
        deliverIfWhole();
        return true;
    }

    private void deliverIfWhole() {
        MessageBuffer message = current;
        if (message != null && !message.bytes().hasRemaining()) {
            message.bytes().flip();
            current = null;
            link.deliver(currentKind, message);
        }
    }

    private void pause(int length) {
        paused = true;
        parts.counters().pauses.increment();
        link.interest(SelectionKey.OP_READ, false);
        parts.receiveBuffers().whenReleased(length, () -> link.loop().execute(this::resume));
    }

    private void resume() {
        if (link.isClosed()) {
            return;
        }
        paused = false;
        receivedNanos = System.nanoTime();
        ByteBuffer rest = carried;
        carried = NOTHING;
        try {
            cut(rest);
        } catch (TransportException e) {
            link.close(e);
        }
        if (!paused && !blocked && !link.isClosed()) {
            link.interest(SelectionKey.OP_READ, true);
            read();
        }
    }

    void dispose() {
        MessageBuffer message = current;
        current = null;
        carried = NOTHING;
        if (message != null) {
            message.release();
        }
    }
}
