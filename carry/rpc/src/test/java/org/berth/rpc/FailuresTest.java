package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.berth.oracle.Await;
import org.junit.jupiter.api.Test;

/** Servers that go in the middle of a call, and callers that do not wait. */
class FailuresTest {
    private static final String TRANSPORT = "BerthCall";

    @Test
    void callThatTheServerLosesFailsAndIsNotSentAgain() throws Exception {
        Configuration settings = new Configuration();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        InetSocketAddress address;
        EchoClient client;
        Future<String> lost;
        int port = EchoServer.portToComeBack();
        try (EchoServer server = EchoServer.start(EchoServer.FAST, settings, port, 4, null)) {
            address = server.address();
            client = server.client(EchoServer.FAST);
            assertThat(client.way()).isEqualTo(TRANSPORT);
            lost = threads.submit(() -> client.echo(Echo.WAIT));
            server.service.waiting.await();
            server.hadoop().stop();
            assertThatThrownBy(() -> lost.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(EOFException.class);
        }
        try (EchoServer again = EchoServer.start(EchoServer.FAST, settings, address.getPort(), 4, null)) {
            assertThat(client.way()).isEqualTo(TRANSPORT);
            assertThat(again.service.waiting.getCount()).isOne();
        } finally {
            client.close();
            threads.shutdownNow();
        }
    }

    @Test
    void clientFollowsAServerThatComesBackWithoutTheTransport() throws IOException {
        Configuration settings = new Configuration();
        InetSocketAddress address;
        EchoClient client;
        int port = EchoServer.portToComeBack();
        try (EchoServer server = EchoServer.start(EchoServer.FAST, settings, port, 4, null)) {
            address = server.address();
            client = server.client(EchoServer.FAST);
            assertThat(client.way()).isEqualTo(TRANSPORT);
        }
        try (EchoServer again = EchoServer.start(EchoServer.STOCK, settings, address.getPort(), 4, null)) {
            assertThat(client.way()).isEqualTo("RpcCall");
            assertThat(again.address()).isEqualTo(address);
        } finally {
            client.close();
        }
    }

    @Test
    void callThatTakesTooLongTimesOutAndTheConnectionServesOn() throws IOException {
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient client = EchoClient.connect(
                        EchoServer.FAST,
                        server.address(),
                        server.settings,
                        UserGroupInformation.getCurrentUser(),
                        500)) {
            assertThat(client.way()).isEqualTo(TRANSPORT);
            assertThatThrownBy(() -> client.echo(Echo.WAIT))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessageContaining("500 millis timeout");
            assertThat(client.way()).isEqualTo(TRANSPORT);
        }
    }

    @Test
    void idleConnectionsAreClosedAndOpenedAgain() throws IOException {
        Configuration settings = new Configuration();
        settings.setInt("ipc.client.connection.maxidletime", 500);
        try (EchoServer server = EchoServer.start(EchoServer.FAST, settings);
                EchoClient client = server.client(EchoServer.FAST)) {
            String port = client.facts().get("port");
            assertThat(client.facts()).containsEntry("way", TRANSPORT).containsEntry("port", port);
            Await.until("another connection after some idle time", () -> {
                Thread.sleep(3000);
                return !Objects.equals(client.facts().get("port"), port);
            });
            assertThat(client.way()).isEqualTo(TRANSPORT);
        }
    }

    @Test
    void timeoutBelowZeroIsNone() throws IOException {
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient client = EchoClient.connect(
                        EchoServer.FAST,
                        server.address(),
                        server.settings,
                        UserGroupInformation.getCurrentUser(),
                        -1)) {
            assertThat(client.way()).isEqualTo(TRANSPORT);
        }
    }

    @Test
    void interruptEndsTheWaitAndTheConnectionServesOn() throws Exception {
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient client = server.client(EchoServer.FAST)) {
            assertThat(client.way()).isEqualTo(TRANSPORT);
            Thread caller = Thread.currentThread();
            Thread interrupter = new Thread(() -> {
                try {
                    server.service.waiting.await();
                } catch (InterruptedException e) {
                    return;
                }
                caller.interrupt();
            });
            interrupter.start();
            assertThatThrownBy(() -> client.echo(Echo.WAIT)).isInstanceOf(InterruptedIOException.class);
            assertThatThrownBy(() -> client.echo("not sent"))
                    .isInstanceOf(InterruptedIOException.class)
                    .hasMessage("Interrupted waiting to send RPC request to server");
            assertThat(Thread.interrupted()).isTrue();
            interrupter.join();
            assertThat(client.way()).isEqualTo(TRANSPORT);
        }
    }
}
