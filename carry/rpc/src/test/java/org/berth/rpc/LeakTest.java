package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.rpc.link.Leases;
import org.junit.jupiter.api.Test;

/** Peers that are killed in the middle of large calls cost no buffer. */
class LeakTest {
    private static final int CALLS = 8;
    private static final String LARGE = "x".repeat(1 << 20);

    /** A client in a process of its own: a call that its server holds, and large ones behind it. */
    static final class Client {
        private Client() {}

        public static void main(String[] arguments) throws Exception {
            InetSocketAddress server =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
            try (EchoClient client = EchoClient.connect(EchoServer.FAST, server, new Configuration())) {
                System.out.println("way " + client.way());
                calls(client);
                System.in.read();
            }
        }
    }

    /** A server in a process of its own, which answers until it is asked to wait. */
    static final class Server {
        private Server() {}

        public static void main(String[] arguments) throws Exception {
            try (EchoServer server = EchoServer.start(EchoServer.FAST, new Configuration(), 0, 1, null)) {
                System.out.println("port " + server.address().getPort());
                server.service.waiting.await();
                System.out.println("waiting");
                System.in.read();
            }
        }
    }

    private static List<Future<String>> calls(EchoClient client) {
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
        List<Future<String>> calls = new ArrayList<>();
        calls.add(threads.submit(() -> client.echo(Echo.WAIT)));
        for (int i = 0; i < CALLS; i++) {
            calls.add(threads.submit(() -> client.echo(LARGE)));
        }
        threads.shutdown();
        return calls;
    }

    @Test
    void clientThatIsKilledLeavesNothingInItsServer() throws Exception {
        Leases.awaitNone();
        try (EchoServer server = EchoServer.start(EchoServer.FAST, new Configuration(), 0, 1, null)) {
            try (Child client =
                    ChildJvm.of(Client.class, "" + server.address().getPort()).start()) {
                assertThat(client.readLine()).isEqualTo("way BerthCall");
                server.service.waiting.await();
                Await.until("large calls in the queue", () -> Leases.count() >= CALLS / 2);
                client.kill();
            }
            server.service.mayGoOn.countDown();
            Leases.awaitNone();
            try (EchoClient other = server.client(EchoServer.FAST)) {
                assertThat(other.way()).isEqualTo("BerthCall");
            }
        }
    }

    @Test
    void serverThatIsKilledLeavesNothingInItsClient() throws Exception {
        Leases.awaitNone();
        Configuration settings = new Configuration();
        settings.setInt("ipc.client.connect.max.retries", 0);
        try (Child server = ChildJvm.of(Server.class).start()) {
            int port = Integer.parseInt(server.readUntil("port ").substring("port ".length()));
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            try (EchoClient client = EchoClient.connect(EchoServer.FAST, address, settings)) {
                assertThat(client.way()).isEqualTo("BerthCall");
                assertThat(client.echo(LARGE)).isEqualTo(LARGE);
                List<Future<String>> calls = calls(client);
                server.readUntil("waiting");
                server.kill();
                assertThatThrownBy(() -> calls.get(0).get()).isInstanceOf(ExecutionException.class);
                Await.until("the end of all calls", () -> calls.stream().allMatch(Future::isDone));
                Leases.awaitNone();
            }
        }
    }
}
