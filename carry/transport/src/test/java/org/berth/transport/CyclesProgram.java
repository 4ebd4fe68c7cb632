package org.berth.transport;

import java.util.Map;
import java.util.Random;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.progress.Signal;
import org.jspecify.annotations.Nullable;

/** Opens and closes engines in one process again and again, with messages still under way; prints how many buffers are leased. */
final class CyclesProgram {
    private CyclesProgram() {}

    public static void main(String[] args) throws Exception {
        Random random = new Random(Long.parseLong(args[1]));
        int leased = 0;
        for (int cycle = 0; cycle < Integer.parseInt(args[2]); cycle++) {
            Map<String, String> options = Map.of("providers", args[0], "threads", Integer.toString(1 + cycle % 2));
            Transport server = Transport.open(Echo.settings("server", options));
            Transport client = Transport.open(Echo.settings("client", options));
            Listener listener = server.listen("127.0.0.1:0", (connection, introduction) -> new Answering());
            for (int i = 0; i < 3; i++) {
                talk(client, listener.address(), random);
            }
            boolean serverFirst = random.nextBoolean();
            (serverFirst ? server : client).close();
            (serverFirst ? client : server).close();
            leased += server.statistics().leasedBuffers() + client.statistics().leasedBuffers();
        }
        System.out.println(leased);
    }

    private static void talk(Transport client, String address, Random random) throws TransportException {
        Signal answered = new Signal();
        Connection connection =
                client.connect(address, Echo.bytes("hello"), new Discarding(answered), Echo.PATIENCE_NANOS);
        for (int i = 0; i < 10; i++) {
            answered.reset();
            connection.send(
                    connection.lease(random.nextInt(4) == 0 ? random.nextInt(2_000_000) : random.nextInt(5000), 0));
            connection.await(answered, Echo.PATIENCE_NANOS);
        }
        if (random.nextBoolean()) {
            for (int i = 0; i < random.nextInt(6); i++) {
                connection.send(connection.lease(2_000_000, 0));
            }
            connection.close();
        }
    }

    private record Answering() implements Receiver {
        @Override
        public void received(Connection connection, MessageBuffer message) {
            Echo.sendBack(connection, message);
        }

        @Override
        public void closed(Connection connection, @Nullable TransportException cause) {
            // The client says when it is over.
        }
    }

    private record Discarding(Signal answered) implements Receiver {
        @Override
        public void received(Connection connection, MessageBuffer message) {
            message.release();
            answered.set();
        }

        @Override
        public void closed(Connection connection, @Nullable TransportException cause) {
            answered.set();
        }
    }
}
