package org.berth.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.berth.oracle.Await;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.progress.Signal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of all sizes over all providers. */
final class MessagesTest {
    private static final List<@Nullable TransportException> ENDS = Collections.synchronizedList(new ArrayList<>());

    /** A million of them takes as long as all other tests here. */
    private static final int UCX_MESSAGES = Integer.getInteger("berth.transport.ucx.messages", 100_000);

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "local", "ucx"})
    void messagesOfAllSizesComeBackOverTheProviderThatWasAskedFor(String provider) throws Exception {
        Echo.require(provider);
        try (Transport server = Transport.open(Echo.settings("server", provider));
                Transport client = Transport.open(Echo.settings("client", provider));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ENDS));
                Echo.Client echo = new Echo.Client(client, listener.address(), "hello")) {
            assertThat(echo.connection().provider()).isEqualTo(provider);
            long seed = System.nanoTime();
            Random random = new Random(seed);
            for (int size : new int[] {0, 1, 7, 8, 1000, 1008, 4096, 65_535, 65_536, 1 << 20, 33_000_000}) {
                byte[] message = new byte[size];
                random.nextBytes(message);
                assertThat(Arrays.equals(echo.ask(message), message))
                        .as(size + " bytes, seed " + seed)
                        .isTrue();
            }
            requireNothingLeased(server, client);
        }
    }

    /** The client does not wait for answers, and there is less memory than messages under way. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "local", "ucx"})
    void aMillionMessagesArriveOnceAndInOrder(String provider) throws Exception {
        Echo.require(provider);
        int count = provider.equals("ucx") ? UCX_MESSAGES : 1_000_000;
        long seed = System.nanoTime();
        Random sizes = new Random(seed);
        Map<String, String> options = Map.of(
                "providers", provider, "max-message", "256k", "receive-pool", "1m", "send-pool", "2m", "threads", "2");
        Sums received = new Sums();
        try (Transport server = Transport.open(Echo.settings("server", options));
                Transport client = Transport.open(Echo.settings("client", options));
                Listener listener = server.listen("127.0.0.1:0", (connection, introduction) -> received);
                Echo.Client sender = new Echo.Client(client, listener.address(), "hello")) {
            Sums sent = new Sums();
            for (int i = 0; i < count; i++) {
                int size = sizes.nextInt(1000) == 0 ? sizes.nextInt(200_000) : sizes.nextInt(300);
                byte[] message = new byte[size];
                sizes.nextBytes(message);
                sent.add(message);
                sender.send(message);
            }
            Await.until("all messages", () -> received.count.get() == count);
            assertThat(received.sum()).as("seed " + seed).isEqualTo(sent.sum());
            requireNothingLeased(server, client);
        }
    }

    /** One checksum over all messages, which depends on their order. */
    private static final class Sums implements Receiver {
        private final AtomicLong count = new AtomicLong();
        private final CRC32C sum = new CRC32C();

        synchronized void add(byte[] message) {
            sum.update(message.length);
            sum.update(message);
            count.incrementAndGet();
        }

        synchronized long sum() {
            return sum.getValue();
        }

        @Override
        public void received(Connection connection, MessageBuffer message) {
            byte[] bytes = new byte[message.bytes().remaining()];
            message.bytes().get(bytes);
            message.release();
            add(bytes);
        }

        @Override
        public void closed(Connection connection, @Nullable TransportException cause) {
            // The sums say all.
        }
    }

    /** Threads that share a connection drive it in turn; none misses its answer. */
    @ParameterizedTest
    @ValueSource(strings = {"event", "hybrid"})
    void threadsWaitForTheirAnswersOnOneConnection(String wait) throws Exception {
        Map<String, String> options = Map.of("providers", "local", "wait", wait);
        int threads = 16;
        Signal[] signals = new Signal[threads];
        Arrays.setAll(signals, i -> new Signal());
        int[] answers = new int[threads];
        Receiver toSignals = new Receiver() {
            @Override
            public void received(Connection connection, MessageBuffer message) {
                int thread = message.bytes().getInt();
                answers[thread] = message.bytes().getInt();
                message.release();
                signals[thread].set();
            }

            @Override
            public void closed(Connection connection, @Nullable TransportException cause) {
                Arrays.stream(signals).forEach(Signal::set);
            }
        };
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (Transport server = Transport.open(Echo.settings("server", options));
                Transport client = Transport.open(Echo.settings("client", options));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ENDS))) {
            Connection connection =
                    client.connect(listener.address(), Echo.bytes("hello"), toSignals, Echo.PATIENCE_NANOS);
            List<Callable<Integer>> callers = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int own = thread;
                callers.add(() -> ask(connection, signals[own], answers, own));
            }
            for (Future<Integer> caller : pool.invokeAll(callers)) {
                assertThat(caller.get()).isEqualTo(2000);
            }
            requireNothingLeased(server, client);
        } finally {
            pool.shutdownNow();
        }
    }

    private static int ask(Connection connection, Signal signal, int[] answers, int thread) throws Exception {
        int asked = 0;
        while (asked < 2000) {
            MessageBuffer question = connection.lease(8, Echo.PATIENCE_NANOS);
            question.bytes().putInt(thread).putInt(asked).flip();
            signal.reset();
            connection.send(question);
            if (!connection.await(signal, Echo.PATIENCE_NANOS) || answers[thread] != asked) {
                return asked;
            }
            asked++;
        }
        return asked;
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "local", "ucx"})
    @SuppressWarnings("try") // it is the listener's own end that is tested
    void bothSidesHearOfTheEnd(String provider) throws Exception {
        Echo.require(provider);
        List<@Nullable TransportException> ends = Collections.synchronizedList(new ArrayList<>());
        try (Transport server = Transport.open(Echo.settings("server", provider));
                Transport client = Transport.open(Echo.settings("client", provider));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ends))) {
            Echo.Client echo = new Echo.Client(client, listener.address(), "hello");
            echo.ask(new byte[10]);
            echo.close();
            assertThat(echo.end()).isEqualTo("closed");
            Await.until("the server to hear of it", () -> ends.size() == 1);
            assertThat(ends.get(0)).isNull();
            assertThatThrownBy(() -> echo.send(new byte[1]))
                    .isInstanceOfSatisfying(
                            TransportException.class,
                            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CLOSED));
            Echo.Client other = new Echo.Client(client, listener.address(), "hello");
            other.ask(new byte[10]);
            listener.close();
            assertThat(other.end()).isEqualTo("closed");
            Await.until("no connection", () -> listener.connections() == 0);
            requireNothingLeased(server, client);
        }
    }

    static void requireNothingLeased(Transport... transports) {
        for (Transport transport : transports) {
            Await.until(
                    "no leased buffer in " + transport.settings().name(),
                    () -> transport.statistics().leasedBuffers() == 0);
        }
    }
}
