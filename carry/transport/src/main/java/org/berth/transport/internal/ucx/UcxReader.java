package org.berth.transport.internal.ucx;

import java.io.IOException;
import java.util.ArrayDeque;
import org.berth.binding.internal.library.HostCalls;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.EngineParts;
import org.berth.transport.link.Frame;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.link.MessageBuffers;
import org.berth.transport.link.Share;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * Takes what arrives over a UCX link to where it stays, and hands it on in the order of arrival. While no buffer is
 * free, UCX keeps the data. For the thread that drives the loop.
 */
final class UcxReader {
    private final UcxLink link;
    private final UcxPoller poller;
    private final EngineParts parts;
    private final Runnable deliver = this::deliver;

    /** In the order of arrival; a large one is ready later than those that follow it. */
    private final ArrayDeque<MessageBuffer> arriving = new ArrayDeque<>();
    /** Messages without a buffer. */
    private final ArrayDeque<UcpAmData> held = new ArrayDeque<>();

    private MessageBuffers.@Nullable Waiting waiting;
    private volatile boolean trusted;
    private volatile long receivedNanos = System.nanoTime();

    UcxReader(UcxLink link, UcxPoller poller, EngineParts parts) {
        this.link = link;
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

    /** 0 while no message is on its way whose memory is there for it. */
    long stalledSince(long nowNanos) {
        MessageBuffer first = arriving.peek();
        return first != null && !first.ready ? nowNanos - receivedNanos : 0;
    }

    private @Nullable MessageBuffer tryLease(int size) throws TransportException {
        Share share = link.share();
        if (!trusted) {
            return parts.strangers().buffers().tryLease(size);
        }
        return share == null
                ? parts.receiveBuffers().tryLease(size)
                : parts.receiveBuffers().tryLease(size, share);
    }

    private void whenReleased(int size) {
        MessageBuffers pool =
                trusted ? parts.receiveBuffers() : parts.strangers().buffers();
        waiting = pool.whenReleased(size, link.share(), () -> link.loop().execute(this::takeHeld));
    }

    /** Inside the worker's callback. True when UCX must keep the data. */
    boolean arrived(UcpAmData data) {
        if (link.isClosed()) {
            return false;
        }
        receivedNanos = System.nanoTime();
        long size = data.getLength() - Frame.HEADER_BYTES;
        int largest = trusted ? parts.limits().largestMessageBytes() : EngineParts.Strangers.LARGEST_MESSAGE_BYTES;
        if (size < 0 || size > largest) {
            link.close(new TransportException(
                    TransportException.Kind.TOO_LARGE,
                    link.peer() + " announced a message of " + size + " bytes, and " + largest
                            + " are accepted (max-message)"));
            return false;
        }
        try {
            MessageBuffer message = held.isEmpty() ? tryLease((int) size) : null;
            if (message == null) {
                hold(data, (int) size);
                return true;
            }
            return take(data, message);
        } catch (TransportException e) {
            link.close(e);
            return false;
        }
    }

    private boolean take(UcpAmData data, MessageBuffer message) {
        long to = HostCalls.address(message.memory()) + Frame.LINK_BYTES;
        arriving.add(message);
        if (data.isDataValid()) {
            HostCalls.copy(data.getDataAddress(), to, data.getLength());
            message.ready = true;
            poller.defer(deliver);
            return false;
        }
        message.ready = false;
        data.receive(to, new UcxCallback() {
            @Override
            public void onSuccess(@Nullable UcpRequest request) {
                message.ready = true;
                poller.defer(deliver);
            }

            @Override
            public void onError(int status, String reason) {
                if (arriving.remove(message)) {
                    message.release();
                }
                link.close(new TransportException(
                        TransportException.Kind.CLOSED, "UCX cannot receive from " + link.peer() + ": " + reason));
            }
        });
        return true;
    }

    private void hold(UcpAmData data, int size) {
        held.add(data);
        if (held.size() == 1) {
            parts.counters().pauses.increment();
            whenReleased(size);
        }
    }

    private void takeHeld() {
        poller.inside(worker -> {
            MessageBuffers.Waiting before = waiting;
            waiting = null;
            try {
                for (UcpAmData data = held.peek(); data != null && !link.isClosed(); data = held.peek()) {
                    int size = (int) data.getLength() - Frame.HEADER_BYTES;
                    MessageBuffer message = tryLease(size);
                    if (message == null) {
                        whenReleased(size);
                        return;
                    }
                    held.remove();
                    if (!take(data, message)) {
                        release(data);
                    }
                }
            } catch (TransportException e) {
                link.close(e);
            }
            if (before != null && link.isClosed()) {
                before.withdraw();
            }
        });
    }

    private static void release(UcpAmData data) {
        try {
            data.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Outside the worker. */
    private void deliver() {
        for (MessageBuffer first = arriving.peek(); first != null && first.ready; first = arriving.peek()) {
            arriving.remove();
            link.deliver(first);
        }
    }

    /**
     * Inside the worker, after the link has closed. Messages that are not ready stay UCX's until it has given up on
     * them.
     */
    void dispose() {
        held.forEach(UcxReader::release);
        held.clear();
        MessageBuffers.Waiting before = waiting;
        waiting = null;
        if (before != null) {
            before.withdraw();
        }
        arriving.removeIf(message -> {
            if (message.ready) {
                message.release();
            }
            return message.ready;
        });
    }

    boolean isEmpty() {
        return arriving.isEmpty();
    }

    /** Takes all buffers back; UCX makes no progress with them any more. */
    void abandon() {
        arriving.forEach(MessageBuffer::release);
        arriving.clear();
    }
}
