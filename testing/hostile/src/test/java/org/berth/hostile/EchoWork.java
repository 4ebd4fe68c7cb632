package org.berth.hostile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.transport.Connection;
import org.berth.transport.Receiver;
import org.berth.transport.Transport;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.settings.TransportSettings;
import org.jspecify.annotations.Nullable;

/** Messages that come back as they were sent; now and then the server is killed between two runs, and started again. */
final class EchoWork implements Work {
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final Path folder;
    private final Ports ports;
    private final Random random;
    private final Transport transport;
    private Optional<Child> server = Optional.empty();
    private Optional<Client> client = Optional.empty();

    EchoWork(Path folder, Ports ports, long seed) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.ports = ports;
        this.random = new Random(seed);
        Map<String, String> options = Map.of("local-directory", folder.toString());
        this.transport = Transport.open(TransportSettings.resolve("honest", options::get));
    }

    @Override
    public void once(Row row) throws Exception {
        if (server.isPresent() && random.nextInt(20) == 0) {
            end();
        }
        if (server.isEmpty()) {
            Child fresh = ChildJvm.of(EchoServer.class, folder.toString())
                    .with("-Xmx256m", "-XX:TieredStopAtLevel=1")
                    .start();
            server = Optional.of(fresh);
            int port = Integer.parseInt(fresh.readLine());
            client = Optional.of(new Client(transport, port));
            ports.replace("transport", port);
            try (Stream<Path> sockets = Files.list(folder)) {
                long left = sockets.count();
                if (left > 3) {
                    row.wrong(left + " sockets are in the folder of a server that was killed");
                }
            }
        }
        Client one = client.orElseThrow();
        for (int i = 0; i < 50; i++) {
            byte[] message = new byte[random.nextInt(10) == 0 ? random.nextInt(4 << 20) : random.nextInt(5000)];
            random.nextBytes(message);
            if (!Arrays.equals(one.ask(message), message)) {
                row.wrong("another message came back");
            }
        }
    }

    private void end() {
        server.ifPresent(Child::close);
        server = Optional.empty();
        ports.replace("transport");
        client.ifPresent(Client::close);
        client = Optional.empty();
    }

    @Override
    public void close() {
        end();
        transport.close();
    }

    static final class Client implements Receiver {
        private final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
        private final Connection connection;

        public Client(Transport transport, int port) throws TransportException {
            connection = transport.connect(
                    "127.0.0.1:" + port,
                    ByteBuffer.wrap("honest".getBytes(StandardCharsets.UTF_8)),
                    this,
                    PATIENCE_NANOS);
        }

        public byte[] ask(byte[] message) throws TransportException, InterruptedException {
            MessageBuffer buffer = connection.lease(message.length, PATIENCE_NANOS);
            buffer.bytes().put(message).flip();
            connection.send(buffer);
            byte[] answer = answers.poll(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
            if (answer == null) {
                throw new TransportException(TransportException.Kind.TIMEOUT, "no answer in a minute");
            }
            return answer;
        }

        void close() {
            connection.close();
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
            // The next question tells.
        }
    }
}
