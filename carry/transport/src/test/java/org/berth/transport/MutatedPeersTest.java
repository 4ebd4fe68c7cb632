package org.berth.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.berth.oracle.Await;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.Frame;
import org.berth.transport.link.FrameKind;
import org.berth.transport.link.Handshake;
import org.berth.transport.link.MessageBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Peers whose connections are valid ones that were mutated at random: bits, lengths, kinds, order, ends, pauses. All that
 * an engine may do is to end them with a {@link TransportException}; a neighbour with an honest peer is served meanwhile.
 *
 * <p>{@code -Dberth.fuzz.seconds=N} lets each look last longer, {@code -Dberth.fuzz.seed=N} repeats one, up to the order of
 * threads.
 */
@Tag("one-jdk")
final class MutatedPeersTest {
    private static final long SEED = Long.getLong("berth.fuzz.seed", System.nanoTime());

    /** Seconds of each test; a quarter of a second finds each fault that was seeded. */
    private static final double SECONDS = Double.parseDouble(System.getProperty("berth.fuzz.seconds", "2")) / 2;

    private static final int LONGEST_TEXT = 2000;

    private final List<@Nullable TransportException> ends = Collections.synchronizedList(new ArrayList<>());
    private final AtomicReference<@Nullable Throwable> uncaught = new AtomicReference<>();
    private final Random random = new Random(SEED);
    private Thread.@Nullable UncaughtExceptionHandler former;

    @TempDir
    private Path sockets;

    @BeforeEach
    void watch() {
        System.out.println("berth.fuzz.seed " + SEED);
        former = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.compareAndSet(null, thrown));
    }

    @AfterEach
    void stopWatching() {
        Thread.setDefaultUncaughtExceptionHandler(former);
    }

    private Map<String, String> options() {
        Map<String, String> options = new HashMap<>(FaultsTest.IMPATIENT);
        options.put("providers", "local,tcp");
        // An honest neighbour is not given up, however busy the machine is.
        options.put("stall-timeout", "10m");
        options.put("ping-interval", "10m");
        options.put("local-directory", sockets.toString());
        return options;
    }

    @Test
    void clientsThatAreMutated() throws Exception {
        try (Transport server = Transport.open(Echo.settings("server", options()));
                Transport client = Transport.open(Echo.settings("client", options()));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ends));
                Neighbour neighbour = new Neighbour(client, listener.address())) {
            int peers = 0;
            for (long end = end(); System.nanoTime() < end; peers++) {
                try (Socket socket = FaultsTest.connect(listener)) {
                    socket.setSoTimeout(1000);
                    speak(socket, mutated(conversation()));
                    if (random.nextInt(4) == 0) {
                        moved(listener);
                    }
                } catch (IOException closed) {
                    // As it may be.
                }
                requireHealth(server, neighbour);
            }
            System.out.println(peers + " mutated clients, " + neighbour.asked + " honest messages");
            Await.until("the neighbour alone", () -> listener.connections() == 1);
            neighbour.finish();
            MessagesTest.requireNothingLeased(server, client);
            requireTexts(ends);
        }
    }

    @Test
    void serversThatAreMutated() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger closed = new AtomicInteger();
        Receiver receiver = new Receiver() {
            @Override
            public void received(Connection from, MessageBuffer message) {
                message.release();
            }

            @Override
            public void closed(Connection from, @Nullable TransportException cause) {
                ends.add(cause);
                closed.incrementAndGet();
            }
        };
        try (ServerSocket hostile = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Transport server = Transport.open(Echo.settings("server", options()));
                Transport client = Transport.open(Echo.settings("client", options()));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ends));
                Neighbour neighbour = new Neighbour(client, listener.address())) {
            hostile.setSoTimeout(100);
            Thread answering = new Thread(() -> answer(hostile, over));
            answering.start();
            String address = "127.0.0.1:" + hostile.getLocalPort();
            int connected = 0;
            int refused = 0;
            for (long end = end(); System.nanoTime() < end; ) {
                try (Connection connection = client.connect(address, Echo.bytes("hello"), receiver, 200_000_000)) {
                    MessageBuffer message = connection.lease(100, Echo.PATIENCE_NANOS);
                    message.bytes().put(new byte[100]).flip();
                    connection.send(message);
                    connected++;
                } catch (TransportException refusal) {
                    ends.add(refusal);
                    refused++;
                }
                requireHealth(client, neighbour);
            }
            System.out.println(connected + " connections, " + refused + " refusals, " + neighbour.asked + " messages");
            over.set(true);
            answering.join();
            neighbour.finish();
            MessagesTest.requireNothingLeased(server, client);
            requireTexts(ends);
        }
    }

    private static long end() {
        return System.nanoTime() + (long) (SECONDS * TimeUnit.SECONDS.toNanos(1));
    }

    private void requireHealth(Transport hostileTo, Neighbour neighbour) {
        assertThat(uncaught.get()).as("seed " + SEED).isNull();
        assertThat(neighbour.failure.get()).as("the neighbour, seed " + SEED).isNull();
        // Both pools of four megabytes are far from what a peer could announce.
        assertThat(hostileTo.statistics().leasedBuffers()).isLessThan(2000);
    }

    /** What is told of a peer goes to logs, and some of it is the peer's own text. */
    private static void requireTexts(List<@Nullable TransportException> ends) {
        for (TransportException end :
                new ArrayList<>(ends).stream().filter(one -> one != null).toList()) {
            String text = String.valueOf(end.getMessage());
            assertThat(text).as("seed " + SEED).hasSizeLessThan(LONGEST_TEXT);
            assertThat(text.chars().filter(Character::isISOControl).count())
                    .as("control characters, seed " + SEED + ": " + text)
                    .isZero();
        }
    }

    /** What an honest client sends. */
    private List<byte[]> conversation() {
        List<byte[]> frames = new ArrayList<>();
        frames.add(hello());
        for (int count = random.nextInt(6); count > 0; count--) {
            frames.add(
                    switch (random.nextInt(6)) {
                        case 0 -> FaultsTest.frame(FrameKind.PING, new byte[0]);
                        case 1 -> FaultsTest.frame(FrameKind.PONG, new byte[0]);
                        case 2 -> FaultsTest.frame(FrameKind.ATTACH, new byte[16]);
                        case 3 -> FaultsTest.frame(FrameKind.DATA, new byte[random.nextInt(200_000)]);
                        default -> FaultsTest.frame(FrameKind.DATA, new byte[random.nextInt(300)]);
                    });
        }
        return frames;
    }

    private static byte[] hello() {
        ByteBuffer hello = ByteBuffer.allocate(200);
        new Handshake.Hello(Handshake.thisHost(), List.of("local"), Echo.bytes("hello")).write(hello);
        return FaultsTest.frame(FrameKind.HELLO, Arrays.copyOf(hello.array(), hello.limit()));
    }

    /** What an honest server answers, in the worst case about a socket that is not there. */
    private List<byte[]> answers() {
        ByteBuffer content = ByteBuffer.allocate(3000);
        boolean refuses = random.nextInt(4) == 0;
        if (refuses) {
            new Handshake.Refusal("no means no").write(content);
        } else {
            String[] addresses = {sockets.resolve("none").toString(), "", "a\0b", "\n", "x".repeat(900)};
            new Handshake.Welcome(
                            UUID.randomUUID(), List.of("local"), List.of(addresses[random.nextInt(addresses.length)]))
                    .write(content);
        }
        List<byte[]> frames = new ArrayList<>();
        frames.add(FaultsTest.frame(
                refuses ? FrameKind.REFUSED : FrameKind.WELCOME, Arrays.copyOf(content.array(), content.limit())));
        if (random.nextBoolean()) {
            frames.add(FaultsTest.frame(FrameKind.DATA, new byte[random.nextInt(1000)]));
            frames.add(FaultsTest.frame(FrameKind.PING, new byte[0]));
        }
        return frames;
    }

    private byte[] mutated(List<byte[]> conversation) {
        List<byte[]> frames = new ArrayList<>(conversation);
        for (int changes = random.nextInt(5); changes > 0; changes--) {
            int index = random.nextInt(frames.size());
            byte[] frame = frames.get(index).clone();
            switch (random.nextInt(8)) {
                case 0 -> frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
                // The ends of numbers, in the header's length and elsewhere.
                case 1 -> put(frame, Frame.HEADER_BYTES - 4);
                case 2 -> put(frame, random.nextInt(frame.length));
                case 3 -> frame = Arrays.copyOf(frame, random.nextInt(frame.length));
                case 4 -> frame = Arrays.copyOf(frame, frame.length + random.nextInt(100));
                case 5 -> frames.add(index, frame);
                case 6 -> Collections.shuffle(frames, random);
                default -> frame[Math.min(3, frame.length - 1)] = (byte) random.nextInt(10);
            }
            if (frame.length > 0) {
                frames.set(index, frame);
            }
        }
        ByteBuffer all =
                ByteBuffer.allocate(frames.stream().mapToInt(one -> one.length).sum());
        frames.forEach(all::put);
        return all.array();
    }

    private void put(byte[] frame, int at) {
        int[] numbers = {0, 1, -1, 255, 65_535, 65_536, 1 << 20, (1 << 20) + 1, Integer.MAX_VALUE, Integer.MIN_VALUE};
        int number = numbers[random.nextInt(numbers.length)];
        for (int i = 0; i < 4 && at + i < frame.length; i++) {
            frame[at + i] = (byte) (number >> (24 - 8 * i));
        }
    }

    /** In parts, with pauses, and one of several ends. */
    private void speak(Socket socket, byte[] bytes) throws IOException {
        for (int from = 0; from < bytes.length; ) {
            int count = random.nextInt(4) == 0 ? 1 + random.nextInt(20) : bytes.length;
            count = Math.min(count, bytes.length - from);
            socket.getOutputStream().write(bytes, from, count);
            from += count;
            if (random.nextInt(20) == 0) {
                Thread.onSpinWait();
                break;
            }
        }
        switch (random.nextInt(4)) {
            case 0 -> socket.setSoLinger(true, 0);
            case 1 -> {
                socket.shutdownOutput();
                socket.getInputStream().read(new byte[1000]);
            }
            case 2 -> {
                byte[] some = new byte[1 + random.nextInt(100)];
                socket.setSoTimeout(20);
                socket.getInputStream().read(some);
            }
            default -> {
                // Closed with answers unread.
            }
        }
    }

    /** Over the socket to which an honest connection would move. */
    private void moved(Listener listener) throws IOException {
        try (Socket first = FaultsTest.connect(listener)) {
            first.setSoTimeout(1000);
            first.getOutputStream().write(hello());
            byte[] header = first.getInputStream().readNBytes(Frame.HEADER_BYTES);
            byte[] content =
                    first.getInputStream().readNBytes(ByteBuffer.wrap(header).getInt(4));
            Handshake.Welcome welcome = Handshake.Welcome.read(ByteBuffer.wrap(content));
            if (welcome.addresses().isEmpty()) {
                return;
            }
            UUID token = random.nextBoolean() ? welcome.token() : new UUID(random.nextLong(), 0);
            ByteBuffer attach = ByteBuffer.allocate(16);
            new Handshake.Attach(token).write(attach);
            byte[] bytes = mutated(List.of(
                    FaultsTest.frame(FrameKind.ATTACH, attach.array()),
                    FaultsTest.frame(FrameKind.DATA, new byte[100])));
            try (SocketChannel second = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                second.connect(UnixDomainSocketAddress.of(welcome.addresses().get(0)));
                second.write(ByteBuffer.wrap(bytes));
                if (random.nextBoolean()) {
                    first.getOutputStream().write(mutated(conversation()));
                }
            }
        } catch (TransportException e) {
            throw new AssertionError("an honest server's WELCOME, seed " + SEED, e);
        }
    }

    private void answer(ServerSocket hostile, AtomicBoolean over) {
        while (!over.get()) {
            try (Socket socket = hostile.accept()) {
                socket.setSoTimeout(100);
                socket.getInputStream().read(new byte[1000]);
                speak(socket, mutated(answers()));
            } catch (IOException gone) {
                // The next one.
            }
        }
    }

    /** An honest peer, which asks all the time in a thread of its own. */
    private static final class Neighbour implements AutoCloseable {
        private final Echo.Client client;
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final Thread thread = new Thread(this::ask);
        private volatile boolean over;
        private final AtomicInteger asked = new AtomicInteger();

        Neighbour(Transport transport, String address) throws TransportException {
            client = new Echo.Client(transport, address, "hello");
            thread.start();
        }

        private void ask() {
            Random sizes = new Random(SEED);
            try {
                while (!over) {
                    byte[] message = new byte[sizes.nextInt(20) == 0 ? 1 << 20 : sizes.nextInt(3000)];
                    sizes.nextBytes(message);
                    assertThat(client.ask(message)).isEqualTo(message);
                    asked.incrementAndGet();
                }
            } catch (TransportException | InterruptedException | RuntimeException | AssertionError e) {
                failure.set(e);
            }
        }

        void finish() throws InterruptedException {
            over = true;
            thread.join();
            assertThat(failure.get()).as("the neighbour, seed " + SEED).isNull();
            assertThat(asked.get()).isPositive();
        }

        @Override
        public void close() {
            over = true;
            client.close();
        }
    }
}
