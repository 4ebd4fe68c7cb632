package org.berth.transport.internal.stream;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** What differs between TCP and Unix domain sockets. Thread-safe. */
interface SocketFamily {
    /** The provider's name. */
    String name();

    SocketChannel open() throws IOException;

    ServerSocketChannel openServer() throws IOException;

    SocketAddress addressToListen(String wanted) throws IOException;

    SocketAddress addressOf(String address) throws IOException;

    /** The address at which peers find a socket that is bound. */
    String listening(ServerSocketChannel channel) throws IOException;

    /** The other side, for messages. */
    String peerOf(SocketChannel channel) throws IOException;

    void configure(SocketChannel channel) throws IOException;

    /** Removes what is left behind in the file system. */
    void close();
}
