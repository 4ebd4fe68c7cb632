package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server in a process of its own, which dies without a word. */
class KilledServerTest {
    /** The other process. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) throws Exception {
            Configuration settings = new Configuration();
            settings.set("berth.rpc.providers", arguments[0]);
            try (EchoServer server = EchoServer.start(EchoServer.FAST, settings)) {
                System.out.println("port " + server.address().getPort());
                server.service.waiting.await();
                System.out.println("waiting");
                System.in.read();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"local,tcp", "tcp"})
    void callsInTheMiddleFailAsIoExceptions(String providers) throws Exception {
        Configuration settings = new Configuration();
        settings.setInt("ipc.client.connect.max.retries", 0);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (Child server = ChildJvm.of(Main.class, providers).start()) {
            int port = Integer.parseInt(server.readUntil("port ").substring("port ".length()));
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            try (EchoClient client = EchoClient.connect(EchoServer.FAST, address, settings)) {
                assertThat(client.way()).isEqualTo("BerthCall");
                Future<String> lost = threads.submit(() -> client.echo(Echo.WAIT));
                server.readUntil("waiting");
                server.kill();
                assertThatThrownBy(lost::get)
                        .cause()
                        .isInstanceOfAny(java.io.EOFException.class, SocketException.class);
                // Until the kernel has closed all of its sockets, a connection may still be taken, and reset.
                Await.until("the end of the server", () -> !server.isAlive());
                assertThatThrownBy(() -> client.echo("hello")).isInstanceOf(ConnectException.class);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void portThatNoTransportListensAtLeavesCallsToHadoop() throws IOException {
        Configuration settings = new Configuration();
        // Taken by the first server, so that the second one has no transport.
        settings.setInt("berth.rpc.port-offset", 0);
        try (EchoServer first = EchoServer.start(EchoServer.FAST, settings)) {
            Configuration same = new Configuration();
            same.setInt("berth.rpc.port", first.address().getPort());
            try (EchoServer second = EchoServer.start(EchoServer.FAST, same);
                    EchoClient client = second.client(EchoServer.FAST)) {
                assertThat(client.way()).isEqualTo("RpcCall");
            }
        }
    }
}
