package org.apache.hadoop.ipc;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.berth.rpc.link.Offer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Hadoop's server of protobuf protocols, which listens with the transport too. */
@NullMarked
public final class BerthServer extends ProtobufRpcEngine2.Server {
    private final BerthFront front;

    /** The same parameters as Hadoop's server. */
    public BerthServer(
            Class<?> protocol,
            Object implementation,
            Configuration configuration,
            String bindAddress,
            int port,
            int handlers,
            int readers,
            int queueSizePerHandler,
            boolean verbose,
            @Nullable SecretManager<? extends TokenIdentifier> secretManager,
            @Nullable String portRange,
            @Nullable AlignmentContext alignment)
            throws IOException {
        super(
                protocol,
                implementation,
                configuration,
                bindAddress,
                port,
                handlers,
                readers,
                queueSizePerHandler,
                verbose,
                secretManager,
                portRange,
                alignment);
        this.front = new BerthFront(this, alignment);
    }

    /** The transport first, so that the first client finds it. */
    @Override
    public synchronized void start() {
        front.start();
        super.start();
    }

    /** Clients are to see a connection that ends, not what handlers that are interrupted throw. */
    @Override
    public synchronized void stop() {
        front.stop();
        super.stop();
        front.discardCalls();
    }

    @Override
    public Writable call(RPC.RpcKind kind, String protocol, Writable request, long receiveTime) throws Exception {
        return isQuestion(request) ? answer(protocol) : super.call(kind, protocol, request, receiveTime);
    }

    private static boolean isQuestion(Writable request) throws IOException {
        return request instanceof ProtobufRpcEngine2.RpcProtobufRequest asked
                && asked.getRequestHeader().getDeclaringClassProtocolName().equals(Offer.PROTOCOL);
    }

    /**
     * Answers as a deferred call, at once: Hadoop counts those neither among the calls that were processed nor in the response
     * times by which its scheduler asks clients to back off.
     */
    @SuppressWarnings("NullAway") // null is Hadoop's word for: answered elsewhere
    private Writable answer(@Nullable String protocol) {
        Server.Call call = Server.getCurCall().get();
        byte[] answer = front.offer(protocol).toBytes();
        call.deferResponse();
        call.setDeferredResponse(RpcWritable.wrap(
                BytesValue.newBuilder().setValue(ByteString.copyFrom(answer)).build()));
        return null;
    }
}
