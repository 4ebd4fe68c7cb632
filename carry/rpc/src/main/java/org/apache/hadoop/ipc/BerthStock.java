package org.apache.hadoop.ipc;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.rpc.link.Offer;
import org.berth.rpc.link.RpcLog;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's own client behind a proxy, by whose connection the transport is asked for. Its id goes with the calls of both
 * ways, so that a server recognises a call that is tried again by the other way (RetryCache).
 */
@NullMarked
final class BerthStock {
    private static final RequestHeaderProto QUESTION = RequestHeaderProto.newBuilder()
            .setMethodName("offer")
            .setDeclaringClassProtocolName(Offer.PROTOCOL)
            .setClientProtocolVersion(Offer.VERSION)
            .build();

    private final Client client;
    private final byte[] clientId;

    private BerthStock(Client client, byte[] clientId) {
        this.client = client;
        this.clientId = clientId;
    }

    byte[] clientId() {
        return clientId;
    }

    /** That of a proxy; null where this Hadoop is another one, which is told once. */
    static @Nullable BerthStock of(ProtobufRpcEngine2.Invoker proxy) {
        try {
            Field field = ProtobufRpcEngine2.Invoker.class.getDeclaredField("client");
            field.setAccessible(true);
            Client client = (Client) field.get(proxy);
            // Client-0123456789abcdef…: the field itself is private.
            String name = client.toString();
            byte[] id = HexFormat.of().parseHex(name.substring(name.lastIndexOf('-') + 1));
            if (id.length != ClientId.BYTE_LENGTH) {
                throw new IllegalArgumentException("the client's id has " + id.length + " bytes");
            }
            return new BerthStock(client, id);
        } catch (ReflectiveOperationException | RuntimeException e) {
            RpcLog.warnOnce("clients do not use the transport, because this version of Hadoop is not supported: "
                    + FailureText.of(e));
            return null;
        }
    }

    /**
     * Asks a server for the transport.
     *
     * @throws RemoteException when the server knows nothing of it, or refuses Hadoop's own connection
     */
    Offer ask(ConnectionId id, @Nullable AtomicBoolean fallbackToSimpleAuth) throws IOException {
        RpcWritable.Buffer answer = (RpcWritable.Buffer) client.call(
                RPC.RpcKind.RPC_PROTOCOL_BUFFER,
                new ProtobufRpcEngine2.RpcProtobufRequest(QUESTION, BytesValue.getDefaultInstance()),
                id,
                fallbackToSimpleAuth);
        return Offer.read(
                answer.getValue(BytesValue.getDefaultInstance()).getValue().toByteArray());
    }
}
