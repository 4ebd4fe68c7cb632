package org.berth.shuffle.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.berth.shuffle.shared.Counts;
import org.berth.shuffle.shared.Messages;
import org.berth.shuffle.shared.ShuffleSettings;
import org.berth.transport.Connection;
import org.berth.transport.Receiver;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the requests of one connection in their order. One thread of the server works on it at a time, until so much
 * waits
 * for the peer as the settings allow; then it turns to other connections, and a message that has left brings it back.
 * So a slow peer holds neither a thread nor more memory than its window.
 */
final class ServedPeer implements Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(ServedPeer.class);
    private static final long LEASE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Connection connection;
    private final BlockSource blocks;
    private final ShuffleSettings settings;
    private final Counts counts;
    private final Executor threads;
    private final Queue<ServedRequest> requests = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean working = new AtomicBoolean();
    private final AtomicLong waitingBytes = new AtomicLong();
    private volatile boolean closed;

    ServedPeer(Connection connection, BlockSource blocks, ShuffleSettings settings, Counts counts, Executor threads) {
        this.connection = connection;
        this.blocks = blocks;
        this.settings = settings;
        this.counts = counts;
        this.threads = threads;
    }

    @Override
    public void received(Connection from, MessageBuffer message) {
        try {
            ByteBuffer bytes = message.bytes();
            if (bytes.remaining() < Messages.HEADER_BYTES || bytes.get() != Messages.REQUEST) {
                throw new IOException("no request for blocks");
            }
            long number = bytes.getLong();
            requests.add(new ServedRequest(number, Messages.readRequest(bytes), blocks));
        } catch (IOException e) {
            from.close(new TransportException(
                    TransportException.Kind.CORRUPT,
                    from.peer() + " sent a message that is not of the shuffle: " + e.getMessage()));
        } finally {
            message.release();
        }
        resume();
    }

    @Override
    public void closed(Connection gone, @Nullable TransportException cause) {
        closed = true;
        resume();
    }

    private void resume() {
        if (working.compareAndSet(false, true)) {
            submit();
        }
    }

    private void submit() {
        try {
            threads.execute(this::work);
        } catch (RejectedExecutionException executorEnds) {
            connection.close();
        }
    }

    private void work() {
        boolean again = false;
        try {
            again = sendAllThatFits();
        } catch (RuntimeException | TransportException e) {
            if (!closed) {
                LOG.warn("Berth: serving shuffle blocks to {} fails: {}", connection.peer(), e.toString());
            }
            connection.close(new TransportException(
                    TransportException.Kind.CLOSED, "the server of shuffle blocks failed: " + e));
        }
        if (again) {
            submit();
            return;
        }
        working.set(false);
        if (hasWork()) {
            // It came between the last look and the line above.
            resume();
        }
    }

    private boolean hasWork() {
        return closed ? !requests.isEmpty() : !requests.isEmpty() && hasRoom();
    }

    private boolean hasRoom() {
        return waitingBytes.get() < settings.windowBytes();
    }

    /** Returns true when it should be called again, as no buffer was free. */
    private boolean sendAllThatFits() throws TransportException {
        for (ServedRequest request = requests.peek(); request != null; request = requests.peek()) {
            if (closed) {
                requests.poll();
                request.close();
            } else if (!hasRoom()) {
                return false;
            } else {
                try {
                    sendNext(request);
                } catch (TransportException e) {
                    if (e.kind() == TransportException.Kind.EXHAUSTED) {
                        return true;
                    }
                    throw e;
                }
                if (request.isDone()) {
                    requests.poll();
                    request.close();
                }
            }
        }
        return false;
    }

    private void sendNext(ServedRequest request) throws TransportException {
        MessageBuffer message;
        int size;
        try {
            size = request.prepare(settings.messageBytes());
            message = connection.lease(size, LEASE_NANOS);
        } catch (TransportException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            fail(request, e);
            return;
        }
        try {
            counts.servedBlocks.add(request.write(message.bytes()));
        } catch (IOException | RuntimeException e) {
            message.release();
            fail(request, e);
            return;
        }
        counts.servedBytes.add(size);
        send(message, size);
    }

    private void fail(ServedRequest request, Exception cause) throws TransportException {
        LOG.warn("Berth: cannot serve {} to {}: {}", request, connection.peer(), cause.toString());
        MessageBuffer message = connection.lease(Messages.failureBytes(), LEASE_NANOS);
        Messages.writeFailure(message.bytes(), request.number(), cause.toString());
        request.finish();
        send(message, message.bytes().limit());
    }

    private void send(MessageBuffer message, long size) throws TransportException {
        waitingBytes.addAndGet(size);
        connection.send(message, failure -> {
            waitingBytes.addAndGet(-size);
            if (failure == null && !requests.isEmpty()) {
                resume();
            }
        });
    }
}
