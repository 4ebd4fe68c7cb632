package org.berth.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpRequest;

/** A link over a UCX endpoint. Messages are frames in active messages, whose header is the number of the peer's link. */
final class UcxLink implements Link {
    private static final int UNKNOWN_PEER_BYTES = 64 * 1024;

    private final String peer;
    private final UcxPoller poller;
    private final ProgressLoop loop;
    private final EngineParts parts;
    private final long id;
    private final Signal opened = new Signal();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicLong queuedBytes = new AtomicLong();
    private final Runnable deliver = this::deliver;

    /** In the order of arrival; a large one is ready later than those that follow it. */
    private final ArrayDeque<MessageBuffer> arriving = new ArrayDeque<>();
    /** Messages without a buffer. */
    private final ArrayDeque<UcpAmData> held = new ArrayDeque<>();

    private volatile @Nullable UcpEndpoint endpoint;
    private volatile long peerLink;
    private volatile @Nullable TransportException cause;
    private volatile boolean closesWhenSent;
    private volatile int largest = UNKNOWN_PEER_BYTES;
    private volatile long receivedNanos = System.nanoTime();
    private volatile long sentNanos = System.nanoTime();
    private @Nullable LinkReceiver receiver;

    UcxLink(String peer, UcxPoller poller, ProgressLoop loop, EngineParts parts) {
        this.peer = peer;
        this.poller = poller;
        this.loop = loop;
        this.parts = parts;
        this.id = poller.add(this);
    }

    long id() {
        return id;
    }

    Signal opened() {
        return opened;
    }

    void start(LinkReceiver linkReceiver) {
        receiver = linkReceiver;
    }

    /** On the driver. */
    void createEndpoint(byte[] peerAddress) {
        ByteBuffer address = ByteBuffer.allocateDirect(peerAddress.length).put(peerAddress);
        address.flip();
        poller.inside(worker -> endpoint = worker.newEndpoint(new UcpEndpointParams()
                .setUcpAddress(address)
                .setPeerErrorHandlingMode()
                .setErrorHandler((failed, status, reason) -> close(new TransportException(
                        TransportException.Kind.CLOSED, "UCX lost " + peer + ": " + reason + " (" + status + ")")))));
    }

    /** On the driver: a message of the provider itself, with this side's number in its header. */
    void sendOwn(int activeMessage, long header, byte[] content) throws TransportException {
        MessageBuffer message = parts.sendBuffers().tryLease(content.length);
        UcpEndpoint to = endpoint;
        if (message == null || to == null) {
            throw new TransportException(TransportException.Kind.EXHAUSTED, "no buffer to open a link over UCX");
        }
        message.memory().order(ByteOrder.nativeOrder()).putLong(0, header);
        message.memory().put(Frame.LINK_BYTES, content);
        UcxSent sent = UcxSent.of(message, this);
        queuedBytes.addAndGet(content.length);
        message.bytes().limit(content.length);
        long address = HostLibraries.address(message.memory());
        poller.inside(worker -> to.sendAmNonBlocking(
                activeMessage, address, Long.BYTES, address + Frame.LINK_BYTES, content.length, 0, sent));
    }

    /** On the driver: the peer has this link's number, and this is the peer's. */
    void isOpen(long numberOfPeer) {
        peerLink = numberOfPeer;
        opened.set();
    }

    @Override
    public String provider() {
        return "ucx";
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
    public boolean needsControl() {
        return true;
    }

    @Override
    public void trust() {
        largest = parts.limits().largestMessageBytes();
    }

    @Override
    public long queuedBytes() {
        return queuedBytes.get();
    }

    @Override
    public long receivedNanos() {
        return receivedNanos;
    }

    @Override
    public void send(FrameKind kind, MessageBuffer message, @Nullable SendCompletion completion)
            throws TransportException {
        message.onSent(completion);
        int length = message.bytes().limit();
        if (closed.get() || length > parts.limits().largestMessageBytes()) {
            TransportException failure = closed.get() ? Failures.closed(peer, cause) : Failures.tooLarge(length, parts);
            message.finish(failure);
            throw failure;
        }
        message.framed(kind);
        message.memory().order(ByteOrder.nativeOrder()).putLong(0, peerLink);
        UcxSent.of(message, this);
        if (queuedBytes.getAndAdd(length) == 0) {
            sentNanos = System.nanoTime();
        }
        poller.submit(message);
    }

    /** Inside of the worker. False while UCX needs progress to send the rest. */
    static boolean sendNow(MessageBuffer message, boolean workerClosed) {
        UcxSent sent = message.sending instanceof UcxSent by ? by : null;
        if (sent == null) {
            throw new IllegalStateException("a message without a link");
        }
        return sent.link().sendNow(message, sent, workerClosed);
    }

    private boolean sendNow(MessageBuffer message, UcxSent sent, boolean workerClosed) {
        UcpEndpoint to = endpoint;
        if (workerClosed || closed.get() || to == null) {
            queuedBytes.addAndGet(-message.bytes().limit());
            message.finish(Failures.closed(peer, cause));
            return true;
        }
        long address = HostLibraries.address(message.memory());
        long length = Frame.HEADER_BYTES + (long) message.bytes().limit();
        UcpRequest request =
                to.sendAmNonBlocking(UcxPoller.DATA, address, Long.BYTES, address + Frame.LINK_BYTES, length, 0, sent);
        return request.isCompleted();
    }

    void sent(MessageBuffer message) {
        int length = message.bytes().limit();
        sentNanos = System.nanoTime();
        parts.counters().messagesSent.increment();
        parts.counters().bytesSent.add(length);
        long left = queuedBytes.addAndGet(-length);
        message.finish(null);
        if (left == 0 && closesWhenSent) {
            close(null);
        }
    }

    void notSent(MessageBuffer message, int status, String reason) {
        queuedBytes.addAndGet(-message.bytes().limit());
        message.finish(new TransportException(
                TransportException.Kind.CLOSED, "UCX cannot send to " + peer + ": " + reason + " (" + status + ")"));
    }

    /** Inside of the worker's callback. True when UCX must keep the data. */
    boolean arrived(UcpAmData data) {
        if (closed.get()) {
            return false;
        }
        receivedNanos = System.nanoTime();
        long size = data.getLength() - Frame.HEADER_BYTES;
        if (size < 0 || size > largest) {
            close(new TransportException(
                    TransportException.Kind.TOO_LARGE,
                    peer + " announced a message of " + size + " bytes, and " + largest
                            + " are accepted (max-message)"));
            return false;
        }
        try {
            MessageBuffer message = held.isEmpty() ? parts.receiveBuffers().tryLease((int) size) : null;
            if (message == null) {
                hold(data, (int) size);
                return true;
            }
            return take(data, message);
        } catch (TransportException e) {
            close(e);
            return false;
        }
    }

    private boolean take(UcpAmData data, MessageBuffer message) {
        long to = HostLibraries.address(message.memory()) + Frame.LINK_BYTES;
        arriving.add(message);
        if (data.isDataValid()) {
            HostLibraries.copy(data.getDataAddress(), to, data.getLength());
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
                arriving.remove(message);
                message.release();
                close(new TransportException(
                        TransportException.Kind.CLOSED, "UCX cannot receive from " + peer + ": " + reason));
            }
        });
        return true;
    }

    private void hold(UcpAmData data, int size) {
        held.add(data);
        if (held.size() == 1) {
            parts.counters().pauses.increment();
            parts.receiveBuffers().whenReleased(size, () -> loop.execute(this::takeHeld));
        }
    }

    private void takeHeld() {
        poller.inside(worker -> {
            try {
                for (UcpAmData data = held.peek(); data != null && !closed.get(); data = held.peek()) {
                    int size = (int) data.getLength() - Frame.HEADER_BYTES;
                    MessageBuffer message = parts.receiveBuffers().tryLease(size);
                    if (message == null) {
                        parts.receiveBuffers().whenReleased(size, () -> loop.execute(this::takeHeld));
                        return;
                    }
                    held.remove();
                    if (!take(data, message)) {
                        release(data);
                    }
                }
            } catch (TransportException e) {
                close(e);
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

    /** On the driver, outside of the worker. */
    private void deliver() {
        for (MessageBuffer first = arriving.peek(); first != null && first.ready; first = arriving.peek()) {
            arriving.remove();
            LinkReceiver to = receiver;
            if (to == null || closed.get()) {
                first.release();
                continue;
            }
            try {
                FrameKind kind = Frame.kind(first.frame(), 0);
                parts.counters().messagesReceived.increment();
                parts.counters().bytesReceived.add(first.bytes().limit());
                to.received(this, kind, first);
            } catch (TransportException e) {
                first.release();
                close(e);
            }
        }
    }

    void tick(long nowNanos) {
        long stall = parts.limits().stallNanos();
        if (queuedBytes.get() > 0 && nowNanos - sentNanos > stall) {
            close(new TransportException(
                    TransportException.Kind.TIMEOUT,
                    peer + " has taken nothing of " + queuedBytes.get() + " bytes for " + stall / 1_000_000
                            + " ms (stall-timeout)"));
        }
    }

    @Override
    public void closeWhenSent() {
        closesWhenSent = true;
        if (queuedBytes.get() == 0) {
            close(null);
        }
    }

    @Override
    public void close(@Nullable TransportException why) {
        if (closed.compareAndSet(false, true)) {
            cause = why;
            if (why != null) {
                parts.counters().failures.increment();
            }
            loop.execute(this::dispose);
        }
    }

    void pollerClosed() {
        if (closed.compareAndSet(false, true)) {
            dispose();
        }
    }

    private void dispose() {
        poller.remove(id);
        poller.inside(worker -> {
            UcpEndpoint to = endpoint;
            endpoint = null;
            if (to != null) {
                to.closeNonBlockingForce();
            }
            held.forEach(UcxLink::release);
            held.clear();
        });
        // Those that are not ready are UCX's until it has given up on them.
        arriving.removeIf(message -> {
            if (message.ready) {
                message.release();
            }
            return message.ready;
        });
        opened.set();
        LinkReceiver to = receiver;
        receiver = null;
        if (to != null) {
            to.closed(this, cause);
        }
    }

    boolean isClosed() {
        return closed.get();
    }

    TransportException closedFailure() {
        return Failures.closed(peer, cause);
    }
}
