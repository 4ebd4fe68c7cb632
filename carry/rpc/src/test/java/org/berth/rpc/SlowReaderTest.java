package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.BerthQuestion;
import org.apache.hadoop.ipc.ClientId;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.TestRpcBase.TestRpcService;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.ipc.protobuf.TestProtos.EchoRequestProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.berth.oracle.Await;
import org.berth.rpc.link.Delimited;
import org.berth.rpc.link.Introduction;
import org.berth.rpc.link.Leases;
import org.berth.rpc.link.Offer;
import org.berth.transport.Connection;
import org.berth.transport.Receiver;
import org.berth.transport.Transport;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.settings.TransportSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that asks for much and reads nothing for a while. */
@Timeout(120)
class SlowReaderTest {
    /** All of them are more than the sockets take. */
    private static final int RESPONSE_BYTES = 4 << 20;

    private static final int HANDLERS = 4;
    private static final int CALLS = 5 * HANDLERS;
    private static final long SECONDS = 30_000_000_000L;

    /** Holds its transport's only thread at the first response. */
    private static final class Slow implements Receiver {
        private final CountDownLatch mayGoOn = new CountDownLatch(1);
        private final AtomicInteger answers = new AtomicInteger();
        private final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public void received(Connection from, MessageBuffer message) {
            message.release();
            answers.incrementAndGet();
            try {
                mayGoOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void closed(Connection from, @Nullable TransportException cause) {
            closed.countDown();
        }
    }

    private static void call(Connection connection, int id) throws Exception {
        Message[] parts = {
            RpcRequestHeaderProto.newBuilder()
                    .setRpcKind(RpcKindProto.RPC_PROTOCOL_BUFFER)
                    .setRpcOp(OperationProto.RPC_FINAL_PACKET)
                    .setCallId(id)
                    .setClientId(ByteString.copyFrom(ClientId.getClientId()))
                    .build(),
            RequestHeaderProto.newBuilder()
                    .setMethodName("echo")
                    .setDeclaringClassProtocolName(RPC.getProtocolName(TestRpcService.class))
                    .setClientProtocolVersion(RPC.getProtocolVersion(TestRpcService.class))
                    .build(),
            EchoRequestProto.newBuilder()
                    .setMessage(Echo.LETTERS + RESPONSE_BYTES)
                    .build()
        };
        int size = 0;
        for (Message part : parts) {
            size += Delimited.size(part);
        }
        MessageBuffer message = connection.lease(size, SECONDS);
        CodedOutputStream stream = CodedOutputStream.newInstance(message.bytes());
        for (Message part : parts) {
            Delimited.write(stream, part);
        }
        stream.flush();
        connection.send(message);
    }

    /** A connection with more calls than the server has handlers. */
    private static Connection callMuch(EchoClient asking, Transport transport, Slow slow) throws Exception {
        Offer offer = BerthQuestion.ask(asking.hadoop());
        ByteBuffer introduction = new Introduction(Objects.requireNonNull(offer.token()), 2 * RESPONSE_BYTES).toBytes();
        Connection connection = transport.connect("127.0.0.1:" + offer.port(), introduction, slow, SECONDS);
        for (int i = 0; i < CALLS; i++) {
            call(connection, i);
        }
        return connection;
    }

    @Test
    void holdsNoHandlerAndLosesNothing() throws Exception {
        Leases.awaitNone();
        Slow slow = new Slow();
        try (EchoServer server = EchoServer.start(EchoServer.FAST, new Configuration(), 0, HANDLERS, null);
                EchoClient asking = server.client(EchoServer.STOCK);
                EchoClient other = server.client(EchoServer.FAST);
                Transport transport = Transport.open(TransportSettings.defaults("slow"))) {
            Connection connection = callMuch(asking, transport, slow);
            Await.until("the first answer", () -> slow.answers.get() == 1);
            // Each handler has run one of those calls, as there are five times as many: this one comes after them.
            for (int i = 0; i < 2 * HANDLERS; i++) {
                assertThat(other.way()).isEqualTo("BerthCall");
            }
            Await.until("all calls of the slow client", () -> server.hadoop().getCallQueueLen() == 0);
            assertThat(other.way()).isEqualTo("BerthCall");
            assertThat(slow.answers).hasValue(1);
            assertThat(slow.closed.getCount()).isEqualTo(1);

            slow.mayGoOn.countDown();
            Await.until("the other answers", () -> slow.answers.get() == CALLS);
            connection.close();
            Leases.awaitNone();
        } finally {
            slow.mayGoOn.countDown();
        }
    }

    @Test
    void aSlowReaderThatEndsLeavesNothing() throws Exception {
        Leases.awaitNone();
        Slow slow = new Slow();
        try (EchoServer server = EchoServer.start(EchoServer.FAST, new Configuration(), 0, HANDLERS, null);
                EchoClient asking = server.client(EchoServer.STOCK);
                Transport transport = Transport.open(TransportSettings.defaults("slow"))) {
            Connection connection = callMuch(asking, transport, slow);
            Await.until("responses that wait", () -> Leases.count() > 0);
            slow.mayGoOn.countDown();
            connection.close();
            Leases.awaitNone();
        } finally {
            slow.mayGoOn.countDown();
        }
    }
}
