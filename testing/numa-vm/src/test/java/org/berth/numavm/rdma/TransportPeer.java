package org.berth.numavm.rdma;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.berth.oracle.Await;
import org.berth.transport.Connection;
import org.berth.transport.Listener;
import org.berth.transport.Receiver;
import org.berth.transport.Transport;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.settings.TransportSettings;
import org.jspecify.annotations.Nullable;

/**
 * One end of the transport in a process of its own: {@code server KEY=VALUE…} sends back what it gets, {@code client
 * ADDRESS KEY=VALUE…} asks. Both do what lines of standard input say, and answer each with a line.
 */
public final class TransportPeer {
    private static final long PATIENCE_NANOS = Await.PATIENCE.toNanos();

    /** UCX gets half of it, and no peer of the emulated machine needs more. */
    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private TransportPeer() {}

    /** Ends with its standard input. */
    public static void main(String[] arguments) throws Exception {
        boolean serves = arguments[0].equals("server");
        Map<String, String> options = new HashMap<>();
        for (String word : Arrays.asList(arguments).subList(serves ? 1 : 2, arguments.length)) {
            int equals = word.indexOf('=');
            options.put(word.substring(0, equals), word.substring(equals + 1));
        }
        try (Transport transport = Transport.open(TransportSettings.resolve(arguments[0], options::get))) {
            if (serves) {
                serve(transport);
            } else {
                ask(transport, arguments[1]);
            }
        }
    }

    private static void serve(Transport transport) throws IOException {
        try (Listener listener = transport.listen(SoftRdma.ADDRESS + ":0", (connection, hello) -> new Echo())) {
            System.out.println("listens " + listener.address());
            obey(transport, line -> "unknown " + line);
        }
    }

    private static void ask(Transport transport, String address) throws Exception {
        Client client = new Client(transport, address);
        System.out.println("over " + client.connection.provider());
        obey(transport, line -> switch (line.split(" ", -1)[0]) {
            case "ask" -> client.ask(line.split(" ", -1));
            case "until-the-end" -> client.askUntilTheEnd(Integer.parseInt(line.split(" ", -1)[1]));
            default -> "unknown " + line;
        });
    }

    private interface Order {
        String carryOut(String line) throws Exception;
    }

    private static void obey(Transport transport, Order order) throws IOException {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String answer;
                try {
                    answer = line.equals("leased")
                            ? "leased " + transport.statistics().leasedBuffers()
                            : order.carryOut(line);
                } catch (Exception failed) {
                    answer = "failed " + failed;
                }
                System.out.println(answer);
            }
        }
    }

    private static final class Echo implements Receiver {
        @Override
        public void received(Connection from, MessageBuffer message) {
            try {
                MessageBuffer answer = from.lease(message.bytes().remaining(), PATIENCE_NANOS);
                answer.bytes().put(message.bytes()).flip();
                from.send(answer);
            } catch (TransportException e) {
                from.close(e);
            } finally {
                message.release();
            }
        }

        @Override
        public void closed(Connection from, @Nullable TransportException cause) {
            System.err.println("a client's connection ended: " + cause);
        }
    }

    private static final class Client implements Receiver {
        private final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
        private final CompletableFuture<String> end = new CompletableFuture<>();
        private final Connection connection;

        Client(Transport transport, String address) throws TransportException {
            connection = transport.connect(address, ByteBuffer.allocate(0), this, CONNECT_NANOS);
        }

        /** "ask COUNT SIZE…": this number of questions of each size, and how many answers were what was asked. */
        String ask(String[] words) throws Exception {
            int right = 0;
            Random random = new Random(words.length);
            for (int i = 2; i < words.length; i++) {
                byte[] message = new byte[Integer.parseInt(words[i])];
                for (int turn = 0; turn < Integer.parseInt(words[1]); turn++) {
                    random.nextBytes(message);
                    send(message);
                    byte[] answer = answers.poll(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
                    right += Arrays.equals(message, answer) ? 1 : 0;
                }
            }
            return "right " + right;
        }

        /** Asks without end; reports the first answer, and how it ended. */
        String askUntilTheEnd(int size) throws Exception {
            byte[] message = new byte[size];
            boolean told = false;
            while (!end.isDone()) {
                try {
                    send(message);
                } catch (TransportException e) {
                    return "ended " + end.get();
                }
                while (!end.isDone() && answers.poll(10, TimeUnit.MILLISECONDS) == null) {
                    // The answer, or the end.
                }
                if (!told && !end.isDone()) {
                    told = true;
                    System.out.println("answered");
                }
            }
            return "ended " + end.get();
        }

        private void send(byte[] message) throws TransportException {
            MessageBuffer buffer = connection.lease(message.length, PATIENCE_NANOS);
            buffer.bytes().put(message).flip();
            connection.send(buffer);
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
            end.complete(cause == null ? "closed" : cause.kind() + ": " + cause.getMessage());
        }
    }
}
