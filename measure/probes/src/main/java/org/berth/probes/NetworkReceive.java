package org.berth.probes;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Asks a {@link MessageServer} for a message and receives it, as a DataNode does in an upload. One thread. */
public final class NetworkReceive implements Transfer {
    private final InetSocketAddress server;
    private final SocketChannel channel;
    private final ByteBuffer request = ByteBuffer.allocateDirect(Long.BYTES);
    private final ByteBuffer message;

    private NetworkReceive(InetSocketAddress server, SocketChannel channel, int sizeBytes) {
        this.server = server;
        this.channel = channel;
        message = ByteBuffer.allocateDirect(sizeBytes);
    }

    /**
     * Connects, with one connection for all messages; the buffer is in memory near the calling thread.
     *
     * @throws IOException one line, when no server answers there
     */
    public static NetworkReceive open(InetSocketAddress server, int sizeBytes) throws IOException {
        try {
            SocketChannel channel = SocketChannel.open(server);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new NetworkReceive(server, channel, sizeBytes);
        } catch (IOException | RuntimeException e) {
            throw new IOException("cannot connect to " + server + ": " + e + "; start the peer there", e);
        }
    }

    @Override
    public void move() throws IOException {
        message.clear();
        request.clear().putLong(0, message.capacity());
        while (request.hasRemaining()) {
            channel.write(request);
        }
        while (message.hasRemaining()) {
            if (channel.read(message) < 0) {
                throw new EOFException("the peer " + server + " closed the connection");
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
