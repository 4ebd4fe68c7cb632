package org.berth.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Links over sockets of the JDK. What differs between TCP and the Unix domain is in a {@link SocketFamily}. */
final class StreamProvider implements Provider {
    private static final System.Logger LOG = System.getLogger(StreamProvider.class.getName());
    /** What the kernel keeps of connections that wait to be accepted; it takes less if net.core.somaxconn is less. */
    private static final int BACKLOG = 4096;

    private final SocketFamily family;
    private final StreamLoops loops;
    private final EngineParts parts;

    StreamProvider(SocketFamily family, StreamLoops loops, EngineParts parts) {
        this.family = family;
        this.loops = loops;
        this.parts = parts;
    }

    @Override
    public String name() {
        return family.name();
    }

    @Override
    public Endpoint listen(String wanted, Function<Link, LinkReceiver> receivers) throws TransportException {
        StreamLoops.StreamLoop on = loops.choose();
        try {
            ServerSocketChannel channel = family.openServer();
            try {
                channel.configureBlocking(false);
                channel.bind(family.addressToListen(wanted), BACKLOG);
                String address = family.listening(channel);
                on.poller().register(channel, SelectionKey.OP_ACCEPT, new Accepting(channel, receivers));
                on.loop().wakeup();
                return new Listening(address, channel, on.loop());
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            throw new TransportException(
                    TransportException.Kind.UNAVAILABLE,
                    "cannot listen at " + (name() + " " + wanted).strip() + ": " + e.getMessage(),
                    e);
        }
    }

    @Override
    public Link connect(String address, LinkReceiver receiver, long timeoutNanos) throws TransportException {
        StreamLoops.StreamLoop on = loops.choose();
        try {
            SocketChannel channel = family.open();
            try {
                channel.configureBlocking(false);
                finishConnecting(channel, family.addressOf(address), timeoutNanos);
                return start(channel, address, on, link -> receiver);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (TransportException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new TransportException(
                    TransportException.Kind.CLOSED,
                    "cannot connect to " + name() + " " + address + ": " + e.getMessage(),
                    e);
        }
    }

    private void finishConnecting(SocketChannel channel, SocketAddress to, long timeoutNanos) throws IOException {
        if (channel.connect(to)) {
            return;
        }
        long deadline = System.nanoTime() + timeoutNanos;
        try (Selector selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_CONNECT);
            while (!channel.finishConnect()) {
                long left = deadline - System.nanoTime();
                if (left <= 0 || Thread.currentThread().isInterrupted()) {
                    throw new TransportException(
                            left <= 0 ? TransportException.Kind.TIMEOUT : TransportException.Kind.CLOSED,
                            "cannot connect to " + name() + " " + to
                                    + (left <= 0
                                            ? ": no answer in " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms"
                                            : ": the thread was interrupted"));
                }
                selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            }
        }
    }

    private Link start(
            SocketChannel channel, String peer, StreamLoops.StreamLoop on, Function<Link, LinkReceiver> receivers)
            throws IOException {
        family.configure(channel);
        StreamLink link = new StreamLink(name(), peer, channel, on.poller(), on.loop(), parts);
        link.start(on.poller(), receivers.apply(link));
        return link;
    }

    @Override
    public void close() {
        family.close();
    }

    /** A socket that takes connections. */
    private final class Accepting implements StreamPoller.Attachment {
        private final ServerSocketChannel channel;
        private final Function<Link, LinkReceiver> receivers;

        Accepting(ServerSocketChannel channel, Function<Link, LinkReceiver> receivers) {
            this.channel = channel;
            this.receivers = receivers;
        }

        @Override
        public void ready(int operations) {
            try {
                for (SocketChannel accepted = accept(); accepted != null; accepted = accept()) {
                    begin(accepted);
                }
            } catch (IOException e) {
                if (channel.isOpen()) {
                    // Mostly "Too many open files". The next event comes at once, so do not turn in a circle.
                    LOG.log(System.Logger.Level.WARNING, "berth: cannot accept a connection: " + e.getMessage());
                    pause();
                }
            }
        }

        private @Nullable SocketChannel accept() throws IOException {
            return channel.accept();
        }

        private void begin(SocketChannel accepted) throws IOException {
            try {
                accepted.configureBlocking(false);
                start(accepted, family.peerOf(accepted), loops.choose(), receivers);
            } catch (IOException | RuntimeException peerIsGone) {
                accepted.close();
            }
        }

        private static void pause() {
            try {
                TimeUnit.MILLISECONDS.sleep(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void tick(long nowNanos) {
            // Nothing has a limit of time here.
        }

        @Override
        public void pollerClosed() {
            closeQuietly(channel);
        }
    }

    private record Listening(String address, ServerSocketChannel channel, ProgressLoop loop) implements Endpoint {
        @Override
        public void close() {
            closeQuietly(channel);
            // The kernel keeps the socket until the selector has let go of it.
            loop.wakeup();
        }
    }

    private static void closeQuietly(ServerSocketChannel channel) {
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            // It takes no connection any more.
        }
    }
}
