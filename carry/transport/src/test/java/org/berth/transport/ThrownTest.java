package org.berth.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.oracle.Await;
import org.berth.transport.failure.TransportException;
import org.berth.transport.internal.stream.StreamPoller;
import org.berth.transport.internal.threads.ProgressThread;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.progress.WaitMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What others put into the engine throws whatever it likes: all that waits is told, and nobody else waits for good. */
@Timeout(240)
final class ThrownTest {
    private enum Thrown {
        MEMORY {
            @Override
            Error made() {
                return new OutOfMemoryError("of a test");
            }
        },
        STACK {
            @Override
            Error made() {
                return new StackOverflowError("of a test");
            }
        },
        CLASS {
            @Override
            Error made() {
                return new NoClassDefFoundError("of a test");
            }
        };

        abstract Error made();
    }

    @ParameterizedTest
    @EnumSource
    void whoWaitsForAThreadThatCannotStartIsTold(Thrown thrown) {
        ProgressThread<StreamPoller> thread = new ProgressThread<>("of a test", WaitMode.EVENT, () -> {}, () -> {
            throw thrown.made();
        });
        assertThatThrownBy(thread::loop)
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(thrown.made().toString());
        thread.close();
    }

    /** Each receiver hears of the end of the engine, though the one before it threw. */
    @ParameterizedTest
    @CsvSource({"tcp, MEMORY", "local, CLASS", "ucx, STACK"})
    void allReceiversHearOfTheEnd(String provider, Thrown thrown) throws Exception {
        Echo.require(provider);
        AtomicInteger ended = new AtomicInteger();
        Acceptor acceptor = (connection, introduction) -> new Receiver() {
            @Override
            public void received(Connection from, MessageBuffer message) {
                Echo.sendBack(from, message);
            }

            @Override
            public void closed(Connection from, @Nullable TransportException cause) {
                ended.incrementAndGet();
                throw thrown.made();
            }
        };
        try (Transport client = Transport.open(Echo.settings("client", provider))) {
            try (Transport server = Transport.open(Echo.settings("server", provider));
                    Listener listener = server.listen("127.0.0.1:0", acceptor)) {
                for (int i = 0; i < 4; i++) {
                    Echo.Client one = new Echo.Client(client, listener.address(), "hello");
                    assertThat(one.ask(new byte[] {1})).containsExactly(1);
                }
            }
            assertThat(ended).as("receivers that were told").hasValue(4);
        }
    }

    /** A peer takes nothing, and all messages that wait end with the connection. */
    @ParameterizedTest
    @ValueSource(strings = {"local", "ucx"})
    void allMessagesEndThoughTheirCompletionsThrow(String provider) throws Exception {
        Echo.require(provider);
        Map<String, String> options = new HashMap<>(FaultsTest.IMPATIENT);
        options.put("providers", provider);
        LinkedBlockingQueue<MessageBuffer> kept = new LinkedBlockingQueue<>();
        List<@Nullable TransportException> ends = new CopyOnWriteArrayList<>();
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
        try (Transport server = Transport.open(Echo.settings("server", options));
                Transport client = Transport.open(Echo.settings("client", provider));
                Listener listener = server.listen("127.0.0.1:0", (connection, introduction) -> keeper);
                Echo.Client sender = new Echo.Client(client, listener.address(), "hello")) {
            int sent = 60;
            AtomicInteger told = new AtomicInteger();
            for (int i = 0; i < sent; i++) {
                MessageBuffer message = sender.connection().lease(200_000, Echo.PATIENCE_NANOS);
                sender.connection().send(message, failure -> {
                    told.incrementAndGet();
                    throw new OutOfMemoryError("of a test");
                });
            }
            Await.until("a pause", () -> server.statistics().pauses() > 0);
            sender.connection().close();
            assertThat(sender.end()).isEqualTo("closed");
            Await.until("the end of all messages", () -> told.get() == sent);
            Await.until("the end at the other side", () -> ends.size() == 1);
            kept.forEach(MessageBuffer::release);
            MessagesTest.requireNothingLeased(server, client);
        }
    }
}
