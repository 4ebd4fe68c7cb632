package org.berth.transport.internal.ucx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.berth.binding.internal.library.HostCalls;
import org.berth.transport.failure.TransportException;
import org.berth.transport.internal.stream.StreamLink;
import org.berth.transport.link.EngineParts;
import org.berth.transport.link.Frame;
import org.berth.transport.link.FrameKind;
import org.berth.transport.link.Link;
import org.berth.transport.link.LinkFailures;
import org.berth.transport.link.LinkReceiver;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.link.SendCompletion;
import org.berth.transport.link.Share;
import org.berth.transport.progress.ProgressLoop;
import org.berth.transport.progress.Signal;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * A link over a UCX endpoint. Messages are frames in active messages, whose header is the number of the peer's link.
 */
final class UcxLink implements Link {
    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String peer;
    private final UcxPoller poller;
    private final ProgressLoop loop;
    private final EngineParts parts;
    private final long id;
    private final Signal opened = new Signal();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicLong queuedBytes = new AtomicLong();
    private final UcxReader reader;

    /** Large messages that UCX has not sent yet; inside the worker. */
    private final ArrayDeque<UcxSent> pending = new ArrayDeque<>();

    /** Whether UCX gives up all that is under way when the endpoint is closed. */
    private boolean forces;

    /** Whether UCX has sent anything, which it does when the endpoint has reached the peer; inside the worker. */
    private boolean reached;

    private long disposedNanos;
    private volatile @Nullable UcpEndpoint endpoint;
    private volatile long peerLink;
    private volatile @Nullable TransportException cause;
    private volatile boolean closesWhenSent;
    private volatile long sentNanos = System.nanoTime();
    private @Nullable LinkReceiver receiver;

    private final long beganNanos = System.nanoTime();
    private volatile boolean trusted;
    /** The share of a peer that has connected and was accepted. */
    private volatile @Nullable Share share;

    UcxLink(String peer, UcxPoller poller, ProgressLoop loop, EngineParts parts) {
        this.peer = peer;
        this.poller = poller;
        this.loop = loop;
        this.parts = parts;
        this.reader = new UcxReader(this, poller, parts);
        this.id = poller.links().add(this);
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

    /**
     * On the driver: the way to the peer.
     *
     * @param sharedMemory leaves out UCX's own error handling, as its shared memory has none and would not be used:
     * that a peer     of this host has died, the TCP connection that stands for the link tells
     */
    void createEndpoint(byte[] peerAddress, boolean sharedMemory) {
        ByteBuffer address = ByteBuffer.allocateDirect(peerAddress.length).put(peerAddress);
        address.flip();
        UcpEndpointParams parameters = new UcpEndpointParams()
                .setUcpAddress(address)
                .setErrorHandler((failed, status, reason) -> close(new TransportException(
                        TransportException.Kind.CLOSED, "UCX lost " + peer + ": " + reason + " (" + status + ")")));
        forces = !sharedMemory;
        if (!sharedMemory) {
            parameters.setPeerErrorHandlingMode();
        }
        poller.inside(worker -> endpoint = worker.newEndpoint(parameters));
    }

    /** On the driver: a message of the provider itself, with this side's number in its header. */
    void sendOwn(int activeMessage, long header, byte[] content) throws TransportException {
        UcpEndpoint to = endpoint;
        if (to == null) {
            throw LinkFailures.closed(peer, cause);
        }
        UcxOpening message = new UcxOpening(this, header, content);
        queuedBytes.addAndGet(message.contentBytes());
        poller.inside(worker -> message.send(to, activeMessage));
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
    public long queuedBytes() {
        return queuedBytes.get();
    }

    @Override
    public long receivedNanos() {
        return reader.receivedNanos();
    }

    @Override
    public void send(FrameKind kind, MessageBuffer message, @Nullable SendCompletion completion)
            throws TransportException {
        message.onSent(completion);
        int length = message.bytes().limit();
        if (closed.get() || length > parts.limits().largestMessageBytes()) {
            TransportException failure =
                    closed.get() ? LinkFailures.closed(peer, cause) : LinkFailures.tooLarge(length, parts);
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

    /** Inside the worker. False while UCX needs progress to send the rest. */
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
            message.finish(LinkFailures.closed(peer, cause));
            return true;
        }
        long address = HostCalls.address(message.memory());
        long length = Frame.HEADER_BYTES + (long) message.bytes().limit();
        UcpRequest request =
                to.sendAmNonBlocking(UcxPoller.DATA, address, Long.BYTES, address + Frame.LINK_BYTES, length, 0, sent);
        if (!request.isCompleted()) {
            pending.add(sent);
            return false;
        }
        return true;
    }

    void sent(UcxSent by) {
        pending.remove(by);
        MessageBuffer message = by.message();
        int length = message.bytes().limit();
        parts.counters().messagesSent.increment();
        parts.counters().bytesSent.add(length);
        boolean ends = endsAfter(length);
        message.finish(null);
        if (ends) {
            close(null);
        }
    }

    void openingSent(int length) {
        if (endsAfter(length)) {
            close(null);
        }
    }

    /** Inside the worker, when UCX has sent a message. */
    private boolean endsAfter(int length) {
        reached = true;
        sentNanos = System.nanoTime();
        return queuedBytes.addAndGet(-length) == 0 && closesWhenSent;
    }

    void openingFailed(String reason) {
        close(new TransportException(TransportException.Kind.CLOSED, "UCX cannot send to " + peer + ": " + reason));
    }

    void notSent(UcxSent by, String reason) {
        pending.remove(by);
        fail(by.message(), "UCX cannot send to " + peer + ": " + reason);
    }

    private void fail(MessageBuffer message, String reason) {
        queuedBytes.addAndGet(-message.bytes().limit());
        message.finish(new TransportException(TransportException.Kind.CLOSED, reason));
    }

    /** Inside the worker's callback. True when UCX must keep the data. */
    boolean arrived(UcpAmData data) {
        return reader.arrived(data);
    }

    /** On the driver, outside the worker: a whole frame is there. */
    void deliver(MessageBuffer message) {
        LinkReceiver to = receiver;
        if (to == null || closed.get()) {
            message.release();
            return;
        }
        try {
            FrameKind kind = Frame.kind(message.frame(), 0);
            parts.counters().messagesReceived.increment();
            parts.counters().bytesReceived.add(message.bytes().limit());
            to.received(this, kind, message);
        } catch (TransportException e) {
            message.release();
            close(e);
        } catch (RuntimeException | Error e) {
            close(LinkFailures.receiverFailed(peer, e));
        }
    }

    void tick(long nowNanos) {
        long stall = parts.limits().stallNanos();
        if (queuedBytes.get() > 0 && nowNanos - sentNanos > stall) {
            close(new TransportException(
                    TransportException.Kind.TIMEOUT,
                    peer + " has accepted none of " + queuedBytes.get() + " bytes for " + stall / 1_000_000
                            + " ms (stall-timeout)"));
        } else if (reader.stalledSince(nowNanos) > stall) {
            close(new TransportException(
                    TransportException.Kind.TIMEOUT,
                    peer + " has stopped in the middle of a message for " + stall / 1_000_000 + " ms (stall-timeout)"));
        } else if (!trusted && nowNanos - beganNanos > StreamLink.HANDSHAKE_NANOS) {
            close(new TransportException(
                    TransportException.Kind.TIMEOUT,
                    peer + " has not finished the handshake in " + StreamLink.HANDSHAKE_NANOS / 1_000_000 + " ms"));
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

    void pollerClosed(@Nullable TransportException why) {
        if (closed.compareAndSet(false, true)) {
            cause = why;
            dispose();
        }
    }

    private void dispose() {
        poller.links().remove(id);
        poller.inside(worker -> {
            UcpEndpoint to = endpoint;
            endpoint = null;
            if (to != null) {
                closeEndpoint(to);
            }
            reader.dispose();
        });
        // Those that are not ready are UCX's until it has given up on them, or this side on UCX.
        disposedNanos = System.nanoTime();
        poller.watchEnd(this);
        opened.set();
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

    private void closeEndpoint(UcpEndpoint to) {
        try {
            // UCX 1.13 ends the process (an assertion in ucp_request.c) when an endpoint is given up that still seeks
            // its peer.
            poller.closes(forces && reached ? to.closeNonBlockingForce() : to.closeNonBlockingFlush());
        } catch (UcxException failedBefore) {
            // There is nothing left to close.
        }
    }

    /**
     * On the driver, after the link was disposed of: takes buffers back that UCX has not finished with, as it waits for
     * a peer of this host that is dead.
     *
     * @return whether there is nothing left to do
     */
    boolean end(long nowNanos) {
        if (nowNanos - disposedNanos > GIVE_UP_NANOS) {
            poller.inside(worker -> abandon());
        }
        return pending.isEmpty() && reader.isEmpty();
    }

    /** Takes all buffers back; UCX makes no progress with them any more. */
    void abandon() {
        pending.forEach(sent -> {
            MessageBuffer message = sent.message();
            sent.abandon();
            fail(message, "the connection to " + peer + " is closed");
        });
        pending.clear();
        reader.abandon();
    }

    boolean isClosed() {
        return closed.get();
    }

    TransportException closedFailure() {
        return LinkFailures.closed(peer, cause);
    }
}
