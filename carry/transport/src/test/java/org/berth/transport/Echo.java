package org.berth.transport;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.berth.oracle.Await;
import org.berth.transport.failure.TransportException;
import org.berth.transport.host.HostFacts;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.settings.TransportSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** Engines for tests, a server that sends back what it gets, and a client that asks one thing after another. */
public final class Echo {
    public static final long PATIENCE_NANOS = Await.PATIENCE.toNanos();

    private Echo() {}

    public static TransportSettings settings(String name, Map<String, String> options) {
        return TransportSettings.resolve(name, HostFacts.ofJvm(), options::get);
    }

    public static TransportSettings settings(String name, String provider) {
        return settings(name, Map.of("providers", provider));
    }

    /** Aborts a test of a provider that this host does not have, with the reason. */
    static void require(String provider) {
        ProviderStatus.ofHost().stream()
                .filter(status -> status.name().equals(provider) && !status.works())
                .forEach(status -> Assumptions.abort(status.detail()));
    }

    /** The introduction "no" is refused; the others get back what they send. */
    public static Acceptor acceptor(List<@Nullable TransportException> ends) {
        return (connection, introduction) -> {
            if (text(introduction).equals("no")) {
                throw new TransportException(TransportException.Kind.REFUSED, "no means no");
            }
            return new Receiver() {
                @Override
                public void received(Connection from, MessageBuffer message) {
                    sendBack(from, message);
                }

                @Override
                public void closed(Connection from, @Nullable TransportException cause) {
                    ends.add(cause);
                }
            };
        };
    }

    static void sendBack(Connection to, MessageBuffer message) {
        try {
            MessageBuffer answer = to.lease(message.bytes().remaining(), PATIENCE_NANOS);
            answer.bytes().put(message.bytes()).flip();
            to.send(answer);
        } catch (TransportException e) {
            to.close(e);
        } finally {
            message.release();
        }
    }

    static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }

    static ByteBuffer bytes(String text) {
        return StandardCharsets.UTF_8.encode(text);
    }

    /** A connection whose answers wait in a queue. */
    public static final class Client implements Receiver, AutoCloseable {
        private final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
        private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
        private final Connection connection;

        public Client(Transport transport, String address, String introduction) throws TransportException {
            connection = transport.connect(address, bytes(introduction), this, PATIENCE_NANOS);
        }

        public Connection connection() {
            return connection;
        }

        void send(byte[] message) throws TransportException {
            MessageBuffer buffer = connection.lease(message.length, PATIENCE_NANOS);
            buffer.bytes().put(message).flip();
            connection.send(buffer);
        }

        byte[] answer() throws InterruptedException {
            byte[] answer = answers.poll(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
            if (answer == null) {
                throw new AssertionError("no answer");
            }
            return answer;
        }

        public byte[] ask(byte[] message) throws TransportException, InterruptedException {
            send(message);
            return answer();
        }

        /** "closed", or the kind of failure that ended the connection. */
        String end() throws InterruptedException {
            String end = ends.poll(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
            if (end == null) {
                throw new AssertionError("the connection did not end");
            }
            return end;
        }

        @Override
        public void received(Connection from, MessageBuffer message) {
            byte[] answer = new byte[message.bytes().remaining()];
            message.bytes().get(answer);
            message.release();
            answers.add(answer);
        }

        @Override
        public void closed(Connection from, @Nullable TransportException cause) {
            ends.add(cause == null ? "closed" : cause.kind().name());
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
