package org.berth.shuffle.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.berth.shuffle.shared.BlockNumbers;
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
 * A connection to the server of another executor, and the requests under way on it. Each request ends once: its blocks have
 * come, or whoever takes it out of {@code underWay} gives it up. Thread-safe.
 */
public final class PeerLink implements Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);
    private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** A smaller message is copied: that costs less than a buffer that cannot be used for long. */
    private static final int KEPT_BYTES = 8 * 1024;

    private final String peer;
    private final HeldMemory held;
    private final Counts counts;
    private final Map<Long, Fetch> underWay = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean closed;
    private volatile long askedNanos = System.nanoTime();

    /**
     * A link that is not connected yet.
     *
     * @param peer for messages
     */
    public PeerLink(String peer, HeldMemory held, Counts counts) {
        this.peer = peer;
        this.held = held;
        this.counts = counts;
    }

    boolean isOpen() {
        return !closed;
    }

    /** Asks for blocks. A failure is the fetch's, not the caller's. */
    void request(Connection connection, Fetch fetch, List<BlockNumbers> blocks) {
        long number = numbers.incrementAndGet();
        underWay.put(number, fetch);
        askedNanos = System.nanoTime();
        try {
            MessageBuffer message = connection.lease(Messages.requestBytes(blocks.size()), LEASE_NANOS);
            Messages.writeRequest(message.bytes(), number, blocks);
            connection.send(message);
        } catch (TransportException | RuntimeException e) {
            giveUp(number, e.getMessage());
        }
        if (closed) {
            // After this the receiver hears of nothing, so that the fetch may have been missed.
            giveUp(number, "the connection is closed");
        }
    }

    private void giveUp(long number, @Nullable String reason) {
        report(giveUp(number), reason);
    }

    private int giveUp(long number) {
        Fetch fetch = underWay.remove(number);
        return fetch == null ? 0 : fetch.giveUp();
    }

    private void report(int blocks, @Nullable String reason) {
        if (blocks > 0) {
            LOG.warn("Berth: {} does not send {} blocks: {}; Spark's own client fetches them", peer, blocks, reason);
        }
    }

    @Override
    public void received(Connection from, MessageBuffer message) {
        SharedMessage shared = null;
        try {
            ByteBuffer bytes = message.bytes();
            if (bytes.remaining() < Messages.HEADER_BYTES) {
                throw new IOException("a message of " + bytes.remaining() + " bytes");
            }
            byte kind = bytes.get();
            long number = bytes.getLong();
            Fetch fetch = underWay.get(number);
            if (fetch == null) {
                throw new IOException("an answer to request " + number + ", which is not under way");
            }
            if (kind == Messages.FAILED) {
                giveUp(number, Messages.readFailure(bytes));
            } else if (kind == Messages.DATA) {
                shared = keep(fetch, message);
                takeSegments(fetch, bytes, shared);
                if (fetch.isWhole()) {
                    underWay.remove(number);
                }
            } else {
                throw new IOException("a message of kind " + kind);
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            // Also when the heap is full: the progress thread must live on, and Spark's client tries again.
            from.close(new TransportException(
                    TransportException.Kind.CORRUPT, peer + " sent an invalid message: " + e, e));
        } finally {
            if (shared == null) {
                message.release();
            } else {
                shared.release();
            }
        }
    }

    /** Returns the message if blocks may stay in it; null when they are to be copied. */
    private @Nullable SharedMessage keep(Fetch fetch, MessageBuffer message) {
        if (fetch.isSlow()) {
            return new SharedMessage(message, () -> {});
        }
        long pooled = ShuffleSettings.pooledBytes(message.bytes().limit());
        return message.bytes().limit() >= KEPT_BYTES && held.tryTake(pooled)
                ? new SharedMessage(message, () -> held.give(pooled))
                : null;
    }

    private void takeSegments(Fetch fetch, ByteBuffer bytes, @Nullable SharedMessage shared) throws IOException {
        while (bytes.hasRemaining()) {
            Messages.Segment segment = Messages.Segment.read(bytes);
            ByteBuffer data = bytes.slice(bytes.position(), segment.length());
            bytes.position(bytes.position() + segment.length());
            if (shared == null) {
                counts.copiedBytes.add(segment.length());
            }
            boolean isWhole = fetch.take(segment, shared == null ? Part.copy(data) : Part.keep(data, shared));
            counts.receivedBytes.add(segment.length());
            if (isWhole) {
                counts.receivedBlocks.increment();
            }
        }
    }

    @Override
    public void closed(Connection gone, @Nullable TransportException cause) {
        closed = true;
        int blocks = 0;
        for (Long number : List.copyOf(underWay.keySet())) {
            blocks += giveUp(number);
        }
        report(blocks, cause == null ? "it closed the connection" : cause.getMessage());
    }

    /** Closes the connection if an answer is due and nothing has come for long. */
    void closeIfSilent(Connection connection, long timeoutNanos) {
        long last = Math.max(connection.receivedNanos(), askedNanos);
        if (!underWay.isEmpty() && System.nanoTime() - last > timeoutNanos) {
            connection.close(new TransportException(
                    TransportException.Kind.TIMEOUT,
                    "nothing came for " + TimeUnit.NANOSECONDS.toSeconds(timeoutNanos)
                            + " s (spark.berth.shuffle.timeout)"));
        }
    }
}
