package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RpcEngine;
import org.berth.oracle.Await;
import org.junit.jupiter.api.Test;

/** Which way calls take, as the server sees it, and that it sees the same on both. */
class WaysTest {
    private static final String TRANSPORT = "BerthCall";
    private static final String STOCK = "RpcCall";

    @Test
    void twoFastEnginesUseTheTransport() throws IOException {
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient client = server.client(EchoServer.FAST)) {
            assertThat(client.way()).isEqualTo(TRANSPORT);
            assertThat(client.echo("hello")).isEqualTo("hello");
            assertThat(client.echo("")).isEmpty();
        }
    }

    @Test
    void fastClientsCallStockServers() throws IOException {
        try (EchoServer server = EchoServer.start(EchoServer.STOCK);
                EchoClient client = server.client(EchoServer.FAST)) {
            assertThat(client.way()).isEqualTo(STOCK);
            assertThat(client.echo("hello")).isEqualTo("hello");
            // The question of the transport has not closed Hadoop's connection.
            assertThat(server.hadoop().getNumOpenConnections()).isEqualTo(1);
        }
    }

    @Test
    void stockClientsCallFastServers() throws IOException {
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient client = server.client(EchoServer.STOCK)) {
            assertThat(client.way()).isEqualTo(STOCK);
            assertThat(client.echo("hello")).isEqualTo("hello");
        }
    }

    /** The question for the transport is none of the calls that Hadoop counts as processed. */
    @Test
    void hadoopCountsTheSameCallsOnBothWays() throws IOException {
        for (RpcEngine engine : List.of(EchoServer.FAST, EchoServer.STOCK)) {
            try (EchoServer server = EchoServer.start(EchoServer.FAST);
                    EchoClient client = server.client(engine)) {
                for (int i = 0; i < 10; i++) {
                    client.echo("call " + i);
                }
                // Handlers count a call after its answer, and its processing last.
                int requests = engine == EchoServer.FAST ? 11 : 10;
                Await.until("all calls", () -> server.hadoop().getTotalRequests() >= requests);
                Await.until("ten calls", () -> server.hadoop().getRpcMetrics().getProcessingSampleCount() >= 10);
                assertThat(server.hadoop().getRpcMetrics().getProcessingSampleCount())
                        .isEqualTo(10);
            }
        }
    }

    @Test
    void serverSeesTheSameOnBothWays() throws IOException {
        CallerContext.setCurrent(new CallerContext.Builder("a job")
                .setSignature("signed".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .build());
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient fast = server.client(EchoServer.FAST);
                EchoClient stock = server.client(EchoServer.STOCK)) {
            Map<String, String> one = fast.facts();
            Map<String, String> other = stock.facts();
            assertThat(one).containsEntry("way", TRANSPORT).containsEntry("context", "a job:signed");
            assertThat(one.get("thread")).startsWith("IPC Server handler");
            Set<String> different = Set.of("way", "thread", "port", "call");
            one.keySet().removeAll(different);
            other.keySet().removeAll(different);
            assertThat(one).isEqualTo(other);
        } finally {
            CallerContext.setCurrent(null);
        }
    }

    @Test
    void callsOfBothWaysHaveTheClientsIdAndTheirNumbers() throws IOException {
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient client = server.client(EchoServer.FAST)) {
            Client.setCallIdAndRetryCount(4711, 3, null);
            Map<String, String> fast = client.facts();
            Client.setAsynchronousMode(true);
            try {
                assertThat(client.hadoop().echo(null, request())).isNull();
            } catch (org.apache.hadoop.thirdparty.protobuf.ServiceException e) {
                throw new IOException(e);
            } finally {
                Client.setAsynchronousMode(false);
            }
            assertThat(fast)
                    .containsEntry("way", TRANSPORT)
                    .containsEntry("call", "4711")
                    .containsEntry("retry", "3");
            String stock = asynchronousAnswer();
            assertThat(stock).contains("way " + STOCK, "client " + fast.get("client"));
        }
    }

    private static org.apache.hadoop.ipc.protobuf.TestProtos.EchoRequestProto request() {
        return org.apache.hadoop.ipc.protobuf.TestProtos.EchoRequestProto.newBuilder()
                .setMessage(Echo.FACTS)
                .build();
    }

    private static String asynchronousAnswer() throws IOException {
        try {
            var answer = org.apache.hadoop.ipc.ProtobufRpcEngine2.getAsyncReturnMessage()
                    .get(60, java.util.concurrent.TimeUnit.SECONDS);
            return ((org.apache.hadoop.ipc.protobuf.TestProtos.EchoResponseProto) answer).getMessage();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
