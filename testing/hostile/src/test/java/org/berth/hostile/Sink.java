package org.berth.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The least that a server can do: lets all in and throws away what they send. Prints its port. */
final class Sink {
    private static final int BACKLOG = 1024;

    private Sink() {}

    public static void main(String[] arguments) throws Exception {
        Selector selector = Selector.open();
        ServerSocketChannel server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
        System.out.println(server.socket().getLocalPort());
        ByteBuffer dropped = ByteBuffer.allocateDirect(1 << 16);
        while (true) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                try {
                    if (key.isAcceptable()) {
                        SocketChannel one = server.accept();
                        one.configureBlocking(false);
                        one.register(selector, SelectionKey.OP_READ);
                    } else if (((SocketChannel) key.channel()).read(dropped.clear()) < 0) {
                        key.channel().close();
                    }
                } catch (IOException gone) {
                    key.channel().close();
                }
            }
            selector.selectedKeys().clear();
        }
    }
}
