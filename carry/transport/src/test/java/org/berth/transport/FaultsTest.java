package org.berth.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.oracle.Await;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.Frame;
import org.berth.transport.link.FrameKind;
import org.berth.transport.link.Handshake;
import org.berth.transport.link.MessageBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Peers that die, lie, dawdle or come in crowds: each error comes in bounded time, and no buffer is lost. */
final class FaultsTest {
    private final List<@Nullable TransportException> ends = Collections.synchronizedList(new ArrayList<>());

    /** Patience of a second where the engine's own limits are tested; it looks once a second. */
    static final Map<String, String> IMPATIENT = Map.of(
            "providers",
            "tcp",
            "stall-timeout",
            "1s",
            "ping-interval",
            "1s",
            "max-message",
            "1m",
            "receive-pool",
            "4m");

    static byte[] frame(FrameKind kind, byte[] content) {
        ByteBuffer frame = ByteBuffer.allocate(Frame.HEADER_BYTES + content.length);
        Frame.putHeader(frame, kind, content.length);
        return frame.put(Frame.HEADER_BYTES, content).array();
    }

    static byte[] hello() {
        ByteBuffer hello = ByteBuffer.allocate(200);
        new Handshake.Hello(Handshake.thisHost(), List.of(), ByteBuffer.allocate(0)).write(hello);
        return frame(FrameKind.HELLO, Arrays.copyOf(hello.array(), hello.limit()));
    }

    static Socket connect(Listener listener) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), listener.port());
    }

    /** How the server's side ends a connection: what it sends until then. */
    private static byte[] answerTo(Listener listener, byte[] bytes) throws IOException {
        try (Socket socket = connect(listener)) {
            socket.setSoTimeout((int) Await.PATIENCE.toMillis());
            socket.getOutputStream().write(bytes);
            return socket.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            return new byte[0];
        }
    }

    @Test
    void aPeerMayDieAfterAnyByte() throws Exception {
        byte[] message = frame(FrameKind.DATA, new byte[40]);
        byte[] whole = ByteBuffer.allocate(1000)
                .put(hello())
                .put(message)
                .put(message)
                .flip()
                .array();
        int length = hello().length + 2 * message.length;
        try (Transport server = Transport.open(Echo.settings("server", "tcp"));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ends))) {
            for (int count = 0; count <= length; count++) {
                try (Socket socket = connect(listener)) {
                    socket.getOutputStream().write(whole, 0, count);
                }
            }
            int begun = length - hello().length + 1;
            Await.until("an end for each connection that began", () -> ends.size() == begun);
            Await.until("no connection", () -> listener.connections() == 0);
            MessagesTest.requireNothingLeased(server);
        }
    }

    @Test
    void bytesThatAreNoFrameEndTheConnection() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (Transport server = Transport.open(Echo.settings("server", "tcp"));
                Transport client = Transport.open(Echo.settings("client", "tcp"));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ends))) {
            for (int i = 0; i < 200; i++) {
                byte[] bytes = new byte[Frame.HEADER_BYTES + random.nextInt(300)];
                random.nextBytes(bytes);
                answerTo(listener, bytes);
                byte[] after = ByteBuffer.allocate(hello().length + bytes.length)
                        .put(hello())
                        .put(bytes)
                        .array();
                answerTo(listener, after);
            }
            Await.until("no connection, seed " + seed, () -> listener.connections() == 0);
            try (Echo.Client good = new Echo.Client(client, listener.address(), "hello")) {
                assertThat(good.ask(new byte[100])).hasSize(100);
            }
            MessagesTest.requireNothingLeased(server, client);
        }
    }

    @Test
    void lengthsThatCannotBeEndTheConnection() throws Exception {
        try (Transport server = Transport.open(Echo.settings("server", IMPATIENT));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ends))) {
            for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, (1 << 20) + 1}) {
                ByteBuffer header = ByteBuffer.allocate(Frame.HEADER_BYTES);
                Frame.putHeader(header, FrameKind.DATA, length);
                answerTo(
                        listener,
                        ByteBuffer.allocate(300)
                                .put(hello())
                                .put(header.array())
                                .flip()
                                .array());
            }
            Await.until("four ends", () -> ends.size() == 4);
            assertThat(ends).allMatch(end -> end != null && end.kind() == TransportException.Kind.TOO_LARGE);
            // Before the handshake a peer may not take much memory.
            ByteBuffer large = ByteBuffer.allocate(Frame.HEADER_BYTES);
            Frame.putHeader(large, FrameKind.HELLO, 100_000);
            answerTo(listener, large.array());
            MessagesTest.requireNothingLeased(server);
        }
    }

    @Test
    void aPeerThatStopsInTheMiddleOfAMessageIsLeft() throws Exception {
        try (Transport server = Transport.open(Echo.settings("server", IMPATIENT));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ends));
                Socket socket = connect(listener)) {
            socket.getOutputStream().write(hello());
            socket.getOutputStream().write(frame(FrameKind.DATA, new byte[1000]), 0, 500);
            Await.until("the end", () -> ends.size() == 1);
            assertThat(ends.get(0)).hasMessageContaining("stopped in the middle of a message");
            MessagesTest.requireNothingLeased(server);
        }
    }

    @Test
    void aPeerThatAnswersNoPingIsLeft() throws Exception {
        try (Transport server = Transport.open(Echo.settings("server", IMPATIENT));
                Transport client = Transport.open(Echo.settings("client", IMPATIENT));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ends));
                Socket silent = connect(listener);
                Echo.Client idle = new Echo.Client(client, listener.address(), "hello")) {
            silent.getOutputStream().write(hello());
            Await.until("the end of the silent one", () -> ends.size() == 1);
            assertThat(ends.get(0)).hasMessageContaining("answered no ping");
            assertThat(idle.ask(new byte[5]))
                    .as("an idle one that answers pings")
                    .hasSize(5);
        }
    }

    @Test
    void aConsumerThatTakesNothingIsLeft() throws Exception {
        try (Transport server = Transport.open(Echo.settings("server", IMPATIENT));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ends));
                Socket socket = connect(listener)) {
            socket.getOutputStream().write(hello());
            byte[] message = frame(FrameKind.DATA, new byte[500_000]);
            // It asks and never reads an answer. The server stops reading as soon as an eighth of its buffers waits for
            // this peer.
            Thread asking = new Thread(() -> {
                try {
                    for (int i = 0; i < 1000; i++) {
                        socket.getOutputStream().write(message);
                    }
                } catch (IOException closed) {
                    // As it must be.
                }
            });
            asking.start();
            Await.until("the end", () -> ends.size() == 1);
            assertThat(ends.get(0)).hasMessageContaining("accepted none");
            asking.join();
            MessagesTest.requireNothingLeased(server);
        }
    }

    /** Messages that wait for the application hold all buffers: the engine stops reading, and goes on when they are released. */
    @Test
    void withoutBuffersAConnectionWaits() throws Exception {
        LinkedBlockingQueue<MessageBuffer> kept = new LinkedBlockingQueue<>();
        Receiver keeper = new Receiver() {
            @Override
            public void received(Connection connection, MessageBuffer message) {
                kept.add(message);
            }

            @Override
            public void closed(Connection connection, @Nullable TransportException cause) {
                ends.add(cause);
            }
        };
        try (Transport server = Transport.open(Echo.settings("server", IMPATIENT));
                Transport client = Transport.open(Echo.settings("client", IMPATIENT));
                Listener listener = server.listen("127.0.0.1:0", (connection, introduction) -> keeper);
                Echo.Client sender = new Echo.Client(client, listener.address(), "hello")) {
            for (int i = 0; i < 30; i++) {
                sender.send(new byte[] {(byte) i});
                sender.send(new byte[200_000]);
            }
            Await.until("a pause", () -> server.statistics().pauses() > 0);
            assertThat(server.statistics().leasedBuffers()).isLessThanOrEqualTo(2 * 16 + 1);
            for (int i = 0; i < 60; i++) {
                MessageBuffer message = kept.take();
                assertThat(message.bytes().remaining()).isEqualTo(i % 2 == 0 ? 1 : 200_000);
                message.release();
            }
            MessagesTest.requireNothingLeased(server, client);
            assertThat(ends).isEmpty();
        }
    }

    @Test
    void aStormOfConnectionsIsServed() throws Exception {
        try (Transport server = Transport.open(Echo.settings("server", "tcp"));
                Transport client = Transport.open(Echo.settings("client", "tcp"));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ends))) {
            List<Echo.Client> clients = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                clients.add(new Echo.Client(client, listener.address(), "hello"));
            }
            for (Echo.Client one : clients) {
                one.send(new byte[] {1});
            }
            for (Echo.Client one : clients) {
                assertThat(one.answer()).containsExactly(1);
            }
            assertThat(listener.connections()).isEqualTo(1000);
            clients.forEach(Echo.Client::close);
            Await.until("no connection", () -> listener.connections() == 0);
            MessagesTest.requireNothingLeased(server, client);
        }
    }

    @Test
    void aReceiverThatThrowsLosesItsConnectionOnly() throws Exception {
        Acceptor throwing = (connection, introduction) -> new Receiver() {
            @Override
            public void received(Connection from, MessageBuffer message) {
                int size = message.bytes().remaining();
                if (size == 3) {
                    message.release();
                    throw new IllegalStateException("three");
                }
                Echo.sendBack(from, message);
            }

            @Override
            public void closed(Connection from, @Nullable TransportException cause) {
                ends.add(cause);
            }
        };
        try (Transport server = Transport.open(Echo.settings("server", "local"));
                Transport client = Transport.open(Echo.settings("client", "local"));
                Listener listener = server.listen("127.0.0.1:0", throwing);
                Echo.Client bad = new Echo.Client(client, listener.address(), "hello");
                Echo.Client good = new Echo.Client(client, listener.address(), "hello")) {
            bad.send(new byte[3]);
            assertThat(bad.end()).isEqualTo("closed");
            Await.until("the end", () -> ends.size() == 1);
            assertThat(ends.get(0)).hasMessageContaining("IllegalStateException: three");
            assertThat(good.ask(new byte[2])).hasSize(2);
            MessagesTest.requireNothingLeased(server, client);
        }
    }

    @Test
    void aRefusalTellsTheServersReason() throws Exception {
        try (Transport server = Transport.open(Echo.settings("server", "local"));
                Transport client = Transport.open(Echo.settings("client", "local"));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ends))) {
            assertThatThrownBy(() -> new Echo.Client(client, listener.address(), "no"))
                    .isInstanceOfSatisfying(
                            TransportException.class,
                            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.REFUSED))
                    .hasMessage(listener.address() + " refused the connection: no means no");
            MessagesTest.requireNothingLeased(server, client);
        }
    }

    @Test
    void aServerOfAnotherProtocolIsNotWaitedForLong() throws Exception {
        try (Transport client = Transport.open(Echo.settings("client", "local"));
                ServerSocket other = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            AtomicInteger read = new AtomicInteger();
            Thread answering = new Thread(() -> answer(other, read));
            answering.start();
            String address = "127.0.0.1:" + other.getLocalPort();
            assertThatThrownBy(() -> new Echo.Client(client, address, "hello"))
                    .isInstanceOfSatisfying(
                            TransportException.class,
                            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CLOSED))
                    .hasMessageContaining("does not begin a frame");
            answering.join();
            assertThat(read).hasPositiveValue();
            assertThatThrownBy(() -> client.connect(address, Echo.bytes("x"), NOTHING, 300_000_000))
                    .isInstanceOfSatisfying(
                            TransportException.class,
                            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.TIMEOUT));
            MessagesTest.requireNothingLeased(client);
        }
    }

    private static final Receiver NOTHING = new Receiver() {
        @Override
        public void received(Connection connection, MessageBuffer message) {
            message.release();
        }

        @Override
        public void closed(Connection connection, @Nullable TransportException cause) {
            // Nobody asks.
        }
    };

    private static void answer(ServerSocket server, AtomicInteger read) {
        try (Socket socket = server.accept();
                InputStream in = socket.getInputStream()) {
            read.set(in.read(new byte[100]));
            socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void nothingListensThere() throws Exception {
        try (Transport client = Transport.open(Echo.settings("client", "local"))) {
            int port;
            try (ServerSocket taken = new ServerSocket(0)) {
                port = taken.getLocalPort();
            }
            assertThatThrownBy(() -> new Echo.Client(client, "127.0.0.1:" + port, "hello"))
                    .isInstanceOfSatisfying(
                            TransportException.class,
                            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CLOSED))
                    .hasMessageContaining("cannot connect to tcp 127.0.0.1:" + port);
        }
    }
}
