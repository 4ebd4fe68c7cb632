package org.berth.probes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.topology.CpuSet;

/**
 * Sends messages to each client that connects and asks for a length: eight bytes, big-endian, then it returns that
 * number of bytes. A thread for each connection. It reads nothing of this machine and keeps nothing. Thread-safe. */
public final class MessageServer implements AutoCloseable {
    /** Longer ones are a mistake, or no probe. */
    private static final long LONGEST_BYTES = 1L << 30;

    private static final int CHUNK_BYTES = 1 << 20;

    private final ServerSocketChannel listening;
    private final Binder binder;
    private final Optional<CpuSet> cpus;
    private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();
    private final Thread accepting = new Thread(this::accept, "probe-server");

    private MessageServer(ServerSocketChannel listening, Binder binder, Optional<CpuSet> cpus) {
        this.listening = listening;
        this.binder = binder;
        this.cpus = cpus;
    }

    /**
     * Listens; port 0 takes a free one.
     *
     * @param cpus where the threads that send are bound; empty: not bound
     * @throws IOException one line, when the address cannot be used
     */
    public static MessageServer start(InetSocketAddress at, Binder binder, Optional<CpuSet> cpus) throws IOException {
        ServerSocketChannel listening = ServerSocketChannel.open();
        try {
            listening.bind(at);
        } catch (IOException | RuntimeException e) {
            listening.close();
            throw new IOException(
                    "cannot listen at " + at + ": " + e.getMessage() + "; give another address or port", e);
        }
        MessageServer server = new MessageServer(listening, binder, cpus);
        server.accepting.setDaemon(true);
        server.accepting.start();
        return server;
    }

    /** The address on which it listens. */
    public InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listening.getLocalAddress();
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel connection = listening.accept();
                connections.add(connection);
                Thread sending = new Thread(() -> send(connection), "probe-sender");
                sending.setDaemon(true);
                sending.start();
            }
        } catch (IOException closed) {
            // The end of it: nothing else closes it.
        }
    }

    private void send(SocketChannel connection) {
        try (connection) {
            connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (cpus.isEmpty()) {
                answer(connection);
                return;
            }
            BoundScope bound = binder.bindThread(cpus.get());
            try {
                answer(connection);
            } finally {
                bound.close();
            }
        } catch (IOException e) {
            // We were closed, or the client went away, which says itself what happened.
        } finally {
            connections.remove(connection);
        }
    }

    private static void answer(SocketChannel connection) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        ByteBuffer request = ByteBuffer.allocate(Long.BYTES);
        while (true) {
            request.clear();
            while (request.hasRemaining()) {
                if (connection.read(request) < 0) {
                    return;
                }
            }
            long left = request.getLong(0);
            if (left < 1 || left > LONGEST_BYTES) {
                return;
            }
            while (left > 0) {
                chunk.clear().limit((int) Math.min(left, CHUNK_BYTES));
                left -= connection.write(chunk);
            }
        }
    }

    /** Ends all connections; afterwards the address refuses new ones. */
    @Override
    public void close() throws IOException {
        listening.close();
        // The kernel listens on until accept(2) has returned: 32 of 3,000 clients that came right after close() were
        // let in.
        try {
            accepting.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (SocketChannel connection : connections) {
            connection.close();
        }
    }
}
