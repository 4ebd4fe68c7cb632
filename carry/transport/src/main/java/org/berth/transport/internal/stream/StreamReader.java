package org.berth.transport.internal.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.EngineParts;
import org.berth.transport.link.Frame;
import org.berth.transport.link.FrameKind;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.link.MessageBuffers;
import org.berth.transport.link.Share;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of a socket into frames. Small messages come many to a read and are copied once; the rest of a large
 * one is
 * read to where it stays. While no buffer is free it reads nothing, so that the peer's sending stops too. For the
 * thread that drives the loop.
 */
final class StreamReader {
    /** Below this a copy costs less than a call of the kernel. */
    private static final int DIRECT_READ_BYTES = 16 * 1024;
    /** What one link may read before the others have their turn. */
    private static final int TURN_BYTES = 1 << 20;
    /** A message that takes longer than the stall timeout must come at least so fast on the whole. */
    private static final long LEAST_BYTES_PER_SECOND = 16 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final StreamLink link;
    private final SocketChannel channel;
    private final StreamPoller poller;
    private final EngineParts parts;

    /** The beginning of a header, or what could not be handled for want of a buffer; ready to be read. */
    private ByteBuffer carried = NOTHING;

    private @Nullable MessageBuffer current;
    /** The length of the current message, for all of which its buffer may have no room yet. */
    private int length;

    private FrameKind currentKind = FrameKind.DATA;
    /** No buffer is free. */
    private boolean paused;

    private MessageBuffers.@Nullable Waiting waiting;
    /** The peer has a window full of messages to take. */
    private boolean blocked;

    /** 0 outside a message; later than its beginning by the time in which it was this side that did not read. */
    private long beganNanos;

    private long stoppedNanos;
    private volatile boolean trusted;
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
        trusted = true;
    }

    /** 0 between messages, and while it is this side that does not read. */
    long stalledSince(long nowNanos) {
        return isWithin() && !paused && !blocked ? nowNanos - receivedNanos : 0;
    }

    private boolean isWithin() {
        return current != null || carried.hasRemaining();
    }

    /** Whether a message dribbles in, which holds a buffer for as long as the peer likes and is never stalled. */
    boolean tooSlow(long nowNanos, long patienceNanos) {
        if (!isWithin() || paused || blocked) {
            return false;
        }
        long late = nowNanos - beganNanos - patienceNanos;
        MessageBuffer message = current;
        int received = message == null ? carried.remaining() : message.bytes().position();
        return late > 0 && received < late / 1_000_000 * LEAST_BYTES_PER_SECOND / 1000;
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
                    if (isWithin() && beganNanos == 0) {
                        beganNanos = receivedNanos;
                    }
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
            stops();
            parts.counters().pauses.increment();
            link.interest(SelectionKey.OP_READ, false);
        }
        return blocked;
    }

    /** The peer has taken half of the window. */
    void peerHasTaken() {
        if (blocked) {
            blocked = false;
            goesOn();
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
        int announced = Frame.length(
                from,
                from.position(),
                trusted ? parts.limits().largestMessageBytes() : EngineParts.Strangers.LARGEST_MESSAGE_BYTES);
        Share share = link.share();
        MessageBuffer message = share == null
                ? buffers().tryLease(announced)
                : buffers().tryLease(announced, room(from.remaining() - Frame.HEADER_BYTES, announced), share);
        if (message == null) {
            pause(announced);
            return false;
        }
        current = message;
        length = announced;
        currentKind = kind;
        from.position(from.position() + Frame.HEADER_BYTES);
        deliverIfWhole();
        return true;
    }

    /**
     * The memory that a message gets of which so much has arrived: all, unless that is 64 times as much. A message that
     * comes at once is copied once, from what was read ahead; another one has the first part of it copied once more.
     */
    private static int room(int arrived, int announced) {
        long known = Math.max(arrived, DIRECT_READ_BYTES);
        return (int) (announced <= known * 64 ? announced : known * 16);
    }

    private void deliverIfWhole() throws TransportException {
        MessageBuffer message = current;
        if (message != null && !message.bytes().hasRemaining()) {
            if (message.bytes().limit() < length) {
                current = message.grown(room(message.bytes().limit(), length));
                return;
            }
            message.bytes().flip();
            current = null;
            beganNanos = 0;
            link.deliver(currentKind, message);
        }
    }

    /** Introductions have buffers of their own. */
    private MessageBuffers buffers() {
        return trusted ? parts.receiveBuffers() : parts.strangers().buffers();
    }

    /** It is this side that does not read from now on. */
    private void stops() {
        stoppedNanos = System.nanoTime();
    }

    private void goesOn() {
        receivedNanos = System.nanoTime();
        if (beganNanos != 0) {
            beganNanos += receivedNanos - stoppedNanos;
        }
    }

    private void pause(int announced) {
        paused = true;
        stops();
        parts.counters().pauses.increment();
        link.interest(SelectionKey.OP_READ, false);
        waiting = buffers()
                .whenReleased(announced, link.share(), () -> link.loop().execute(this::resume));
    }

    private void resume() {
        if (link.isClosed()) {
            return;
        }
        paused = false;
        goesOn();
        ByteBuffer rest = carried;
        carried = NOTHING;
        MessageBuffers.Waiting before = waiting;
        waiting = null;
        try {
            cut(rest);
        } catch (TransportException e) {
            link.close(e);
        }
        if (before != null && link.isClosed()) {
            before.withdraw();
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
        MessageBuffers.Waiting before = waiting;
        waiting = null;
        if (before != null) {
            before.withdraw();
        }
    }
}
