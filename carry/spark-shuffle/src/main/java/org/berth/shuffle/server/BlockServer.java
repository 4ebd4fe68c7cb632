package org.berth.shuffle.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.ExecutorService;
import org.berth.shuffle.shared.Counts;
import org.berth.shuffle.shared.DaemonThreads;
import org.berth.shuffle.shared.Messages;
import org.berth.shuffle.shared.ShuffleSettings;
import org.berth.transport.Acceptor;
import org.berth.transport.Connection;
import org.berth.transport.Receiver;
import org.berth.transport.failure.TransportException;

/**
 * The serving side of an executor: takes connections of executors of the same application. Progress threads only take the
 * requests; a few threads of its own read the blocks.
 */
public final class BlockServer implements Acceptor, AutoCloseable {
    private final String application;
    private final String executor;
    private final BlockSource blocks;
    private final ShuffleSettings settings;
    private final Counts counts;
    private final ExecutorService threads;
    /** Known after the registration, which needs the port first. */
    private volatile String secret = "";

    public BlockServer(
            String application, String executor, BlockSource blocks, ShuffleSettings settings, Counts counts) {
        this.application = application;
        this.executor = executor;
        this.blocks = blocks;
        this.settings = settings;
        this.counts = counts;
        this.threads =
                DaemonThreads.pool("berth-shuffle-server", settings.transport().handlers());
    }

    public void open(String applicationSecret) {
        secret = applicationSecret;
    }

    @Override
    public Receiver accept(Connection connection, ByteBuffer introduction) throws TransportException {
        Messages.Introduction client;
        try {
            client = Messages.Introduction.read(introduction);
        } catch (IOException e) {
            throw refusal(String.valueOf(e.getMessage()));
        }
        String expected = secret;
        if (expected.isEmpty() || !same(expected, client.secret()) || !application.equals(client.application())) {
            throw refusal("the peer does not belong to application " + application);
        }
        if (!executor.equals(client.server())) {
            throw refusal("this is executor " + executor + ", and the peer wants executor " + client.server());
        }
        return new ServedPeer(connection, blocks, settings, counts, threads);
    }

    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private static TransportException refusal(String reason) {
        return new TransportException(TransportException.Kind.REFUSED, reason);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
