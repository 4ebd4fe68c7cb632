package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcEngine;
import org.apache.hadoop.ipc.TestRpcBase;
import org.apache.hadoop.ipc.protobuf.TestProtos.EchoRequestProto;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that fails throws what it throws over Hadoop's own connection: class, message, code and unwrapped cause. */
class ExceptionsTest {
    private static RemoteException failure(EchoServer server, RpcEngine engine, String request) throws IOException {
        try (EchoClient client = server.client(engine)) {
            client.echo("so that there is a connection");
            RemoteException failure = catchThrowableOfType(RemoteException.class, () -> client.echo(request));
            assertThat(client.echo("once more")).isEqualTo("once more");
            return failure;
        }
    }

    /** The stack tells which way the call took, from the frame of the handler on. */
    private static String firstLines(@Nullable String message) {
        return String.valueOf(message)
                .lines()
                .takeWhile(line -> !line.contains("ipc.ProtobufRpcEngine2"))
                .reduce("", (some, more) -> some + more + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "IOException",
                "AccessControlException",
                "StandbyException",
                "RetriableException",
                "IllegalStateException",
                "NullPointerException",
                "WithoutMessage"
            })
    void exceptionsOfTheMethodAreEqual(String kind) throws IOException {
        try (EchoServer server = EchoServer.start(EchoServer.FAST)) {
            RemoteException fast = failure(server, EchoServer.FAST, Echo.THROW + kind);
            RemoteException stock = failure(server, EchoServer.STOCK, Echo.THROW + kind);
            assertThat(fast.getClassName()).isEqualTo(stock.getClassName());
            assertThat(fast.getErrorCode()).isEqualTo(stock.getErrorCode());
            assertThat(firstLines(fast.getMessage())).isNotBlank().isEqualTo(firstLines(stock.getMessage()));
            assertThat(fast.unwrapRemoteException()).hasSameClassAs(stock.unwrapRemoteException());
        }
    }

    @Test
    void serverThatIsNotThereFailsAsEver() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Configuration settings = new Configuration();
        settings.setInt("ipc.client.connect.max.retries", 0);
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (EchoClient fast = EchoClient.connect(EchoServer.FAST, nobody, settings);
                EchoClient stock = EchoClient.connect(EchoServer.STOCK, nobody, settings)) {
            IOException one = catchThrowableOfType(IOException.class, () -> fast.echo("hello"));
            IOException other = catchThrowableOfType(IOException.class, () -> stock.echo("hello"));
            assertThat(one).hasSameClassAs(other).hasMessage(other.getMessage());
        }
    }

    @Test
    void clientsWithoutAParameterAreToldAsEver() throws IOException {
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient fast = server.client(EchoServer.FAST);
                EchoClient stock = server.client(EchoServer.STOCK)) {
            ServiceException one = catchThrowableOfType(
                    ServiceException.class, () -> fast.hadoop().ping(null, null));
            ServiceException other = catchThrowableOfType(
                    ServiceException.class, () -> stock.hadoop().ping(null, null));
            assertThat(one).hasMessage(other.getMessage());
        }
    }

    /** Server.Call.postponeResponse, which the NameNode's asynchronous edit log uses. */
    @Test
    void postponedResponsesArrive() throws Exception {
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient client = server.client(EchoServer.FAST);
                EchoClient other = server.client(EchoServer.FAST)) {
            assertThat(client.way()).isEqualTo("BerthCall");
            AtomicReference<String> answer = new AtomicReference<>();
            Thread postponed = new Thread(() -> {
                try {
                    answer.set(client.hadoop()
                            .echoPostponed(
                                    null,
                                    EchoRequestProto.newBuilder()
                                            .setMessage("later")
                                            .build())
                            .getMessage());
                } catch (ServiceException e) {
                    throw new IllegalStateException(e);
                }
            });
            postponed.start();
            while (postponed.isAlive()) {
                other.hadoop().sendPostponed(null, TestRpcBase.newEmptyRequest());
                postponed.join(10);
            }
            assertThat(answer).hasValue("later");
        }
    }
}
