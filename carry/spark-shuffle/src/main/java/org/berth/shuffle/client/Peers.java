package org.berth.shuffle.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.berth.shuffle.shared.BlockNumbers;
import org.berth.shuffle.shared.Counts;
import org.berth.shuffle.shared.Messages;
import org.berth.shuffle.shared.ShuffleSettings;
import org.berth.transport.Connection;
import org.berth.transport.Transport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections to other executors, each made when it is first needed. Thread-safe. */
public final class Peers {
    private static final Logger LOG = LoggerFactory.getLogger(Peers.class);
    /** How long an executor that could not be reached is left to Spark's own client. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Transport transport;
    private final AddressLookup addresses;
    private final Messages.Introduction own;
    private final Duration connectTimeout;
    private final HeldMemory held;
    private final Counts counts;
    private final Map<String, Peer> peers = new ConcurrentHashMap<>();

    /**
     * Begins without connections.
     *
     * @param own what this executor says of itself; the server is set for each peer
     */
    public Peers(
            Transport transport,
            AddressLookup addresses,
            Messages.Introduction own,
            ShuffleSettings settings,
            Counts counts) {
        this.transport = transport;
        this.addresses = addresses;
        this.own = own;
        this.connectTimeout = settings.connectTimeout();
        this.held = new HeldMemory(settings.receivePoolBytes() / 2);
        this.counts = counts;
    }

    public long heldBytes() {
        return held.heldBytes();
    }

    /** Asks an executor for blocks; returns false when it cannot be reached, which a log line tells. */
    public boolean request(String executor, Fetch fetch, List<BlockNumbers> blocks) {
        Open open = peers.computeIfAbsent(executor, Peer::new).open();
        if (open == null) {
            return false;
        }
        open.link.request(open.connection, fetch, blocks);
        return true;
    }

    public void closeSilent(Duration timeout) {
        peers.values().forEach(peer -> peer.closeIfSilent(timeout.toNanos()));
    }

    private record Open(PeerLink link, Connection connection) {}

    private final class Peer {
        private final String executor;
        private volatile @Nullable Open last;
        private long againNanos = System.nanoTime();

        Peer(String executor) {
            this.executor = executor;
        }

        private @Nullable Open open() {
            Open open = last;
            return open != null && open.link.isOpen() ? open : connect();
        }

        private synchronized @Nullable Open connect() {
            Open other = last;
            if (other != null && other.link.isOpen()) {
                return other;
            }
            if (System.nanoTime() - againNanos < 0) {
                return null;
            }
            try {
                String address = addresses.find(executor);
                if (address == null) {
                    throw new IOException("it has not registered with the driver");
                }
                PeerLink link = new PeerLink("executor " + executor + " at " + address, held, counts);
                Messages.Introduction introduction =
                        new Messages.Introduction(own.application(), own.secret(), executor, own.client());
                Connection connection = transport.connect(
                        address, ByteBuffer.wrap(introduction.bytes()), link, connectTimeout.toNanos());
                Open open = new Open(link, connection);
                last = open;
                counts.connected(connection.provider());
                LOG.info(
                        "Berth: shuffle blocks of executor {} at {} come over {}",
                        executor,
                        address,
                        connection.provider());
                return open;
            } catch (IOException | RuntimeException e) {
                if (!Thread.currentThread().isInterrupted()) {
                    againNanos = System.nanoTime() + PAUSE_NANOS;
                    LOG.warn(
                            "Berth: executor {} cannot be reached over the transport: {}; Spark's own client fetches its"
                                    + " blocks for {} s",
                            executor,
                            e.getMessage(),
                            TimeUnit.NANOSECONDS.toSeconds(PAUSE_NANOS));
                }
                return null;
            }
        }

        void closeIfSilent(long timeoutNanos) {
            Open open = last;
            if (open != null && open.link.isOpen()) {
                open.link.closeIfSilent(open.connection, timeoutNanos);
            }
        }
    }
}
