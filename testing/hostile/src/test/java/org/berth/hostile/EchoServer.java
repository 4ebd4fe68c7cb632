package org.berth.hostile;

import java.util.Map;
import org.berth.transport.Connection;
import org.berth.transport.Listener;
import org.berth.transport.Receiver;
import org.berth.transport.Transport;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.settings.TransportSettings;
import org.jspecify.annotations.Nullable;

/** A server of the transport in a process of its own, which sends back what it gets: prints its port, and stays. */
final class EchoServer {
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private EchoServer() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, String> options =
                Map.of("local-directory", arguments[0], "receive-pool", "128m", "send-pool", "128m");
        Transport transport = Transport.open(TransportSettings.resolve("hostile", options::get));
        Listener listener = transport.listen("127.0.0.1:0", (connection, introduction) -> {
            // The honest one is another user than the hostile ones.
            byte[] user = new byte[introduction.remaining()];
            introduction.get(user);
            connection.belongsTo(new String(user, java.nio.charset.StandardCharsets.UTF_8));
            return new Echo();
        });
        System.out.println(listener.port());
        Thread.currentThread().join();
    }

    private static final class Echo implements Receiver {
        @Override
        public void received(Connection from, MessageBuffer message) {
            try {
                MessageBuffer answer = from.lease(message.bytes().remaining(), PATIENCE_NANOS);
                answer.bytes().put(message.bytes()).flip();
                from.send(answer);
            } catch (TransportException gone) {
                from.close();
            } finally {
                message.release();
            }
        }

        @Override
        public void closed(Connection connection, @Nullable TransportException cause) {
            // The next one comes.
        }
    }
}
