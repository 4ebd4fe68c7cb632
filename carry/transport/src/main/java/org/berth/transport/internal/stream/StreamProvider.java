package org.berth.transport.internal.stream;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.EngineParts;
import org.berth.transport.link.Link;
import org.berth.transport.link.LinkReceiver;
import org.berth.transport.link.Provider;
import org.berth.transport.progress.ProgressLoop;
import org.jspecify.annotations.Nullable;

/** Links over sockets of the JDK. What differs between TCP and the Unix domain is in a {@link SocketFamily}. */
public final class StreamProvider implements Provider {
    /** What the kernel keeps of connections that wait to be accepted; it takes less if net.core.somaxconn is less. */
    private static final int BACKLOG = 4096;

    private final SocketFamily family;
    private final StreamLoops loops;
    private final EngineParts parts;

    public StreamProvider(SocketFamily family, StreamLoops loops, EngineParts parts) {
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
                Accepting accepting = new Accepting(channel, receivers);
                accepting.key = on.poller().register(channel, SelectionKey.OP_ACCEPT, accepting);
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
                return start(channel, address, on, receiver);
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

    private Link start(SocketChannel channel, String peer, StreamLoops.StreamLoop on, LinkReceiver receiver)
            throws IOException {
        StreamLink link = link(channel, peer, on);
        link.start(on.poller(), receiver);
        return link;
    }

    private StreamLink link(SocketChannel channel, String peer, StreamLoops.StreamLoop on) throws IOException {
        family.configure(channel);
        return new StreamLink(name(), peer, channel, on.poller(), on.loop(), parts);
    }

    @Override
    public void close() {
        family.close();
    }

    /** A socket that takes connections. */
    private final class Accepting implements StreamPoller.Attachment {
        private final ServerSocketChannel channel;
        private final Function<Link, LinkReceiver> receivers;
        private volatile @Nullable SelectionKey key;

        Accepting(ServerSocketChannel channel, Function<Link, LinkReceiver> receivers) {
            this.channel = channel;
            this.receivers = receivers;
        }

        @Override
        public @Nullable Object owner() {
            return null;
        }

        /** Those who still wait are there in the next pass, too. */
        @Override
        public void ready(int operations) {
            long end = System.nanoTime() + Turns.PART_NANOS;
            try {
                SocketChannel accepted = accept();
                while (accepted != null) {
                    begin(accepted);
                    accepted = System.nanoTime() < end ? accept() : null;
                }
            } catch (IOException e) {
                if (channel.isOpen()) {
                    cannotAccept(String.valueOf(e.getMessage()));
                }
            }
        }

        /** Mostly "Too many open files". The next event would come at once. */
        private void cannotAccept(String why) {
            parts.strangers().refusals().add("cannot accept a connection: " + why);
            if (!parts.strangers().links().endOldest(why)) {
                interest(0);
            }
        }

        private void interest(int operations) {
            SelectionKey mine = key;
            if (mine != null && mine.isValid()) {
                mine.interestOps(operations);
            }
        }

        private @Nullable SocketChannel accept() throws IOException {
            return channel.accept();
        }

        private void begin(SocketChannel accepted) throws IOException {
            try {
                accepted.configureBlocking(false);
                StreamLoops.StreamLoop on = loops.choose();
                StreamLink link = link(accepted, family.peerOf(accepted), on);
                // Before it can be let in.
                parts.strangers().links().add(link);
                link.start(on.poller(), receivers.apply(link));
            } catch (IOException | RuntimeException peerIsGone) {
                accepted.close();
            }
        }

        @Override
        public void tick(long nowNanos) {
            // There may be a file descriptor again.
            interest(SelectionKey.OP_ACCEPT);
        }

        @Override
        public void pollerClosed(@Nullable TransportException why) {
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
