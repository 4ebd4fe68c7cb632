package org.berth.transport.internal.stream;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** TCP; addresses are {@code host:port}. */
public record TcpSockets() implements SocketFamily {
    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public SocketChannel open() throws IOException {
        return SocketChannel.open();
    }

    @Override
    public ServerSocketChannel openServer() throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        return channel;
    }

    @Override
    public SocketAddress addressToListen(String wanted) throws IOException {
        return addressOf(wanted);
    }

    @Override
    public SocketAddress addressOf(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        InetSocketAddress resolved =
                new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        if (resolved.isUnresolved()) {
            throw new UnknownHostException("unknown host " + resolved.getHostString());
        }
        return resolved;
    }

    static String text(InetSocketAddress address) {
        String host = address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        return host + ":" + address.getPort();
    }

    @Override
    public String listening(ServerSocketChannel channel) throws IOException {
        return text((InetSocketAddress) channel.getLocalAddress());
    }

    @Override
    public String peerOf(SocketChannel channel) throws IOException {
        return text((InetSocketAddress) channel.getRemoteAddress());
    }

    @Override
    public void configure(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    }

    @Override
    public void close() {
        // Ports are the kernel's.
    }
}
