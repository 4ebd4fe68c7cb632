package org.apache.hadoop.ipc;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Hadoop's server of Writable protocols, which listens with the transport too. */
@NullMarked
@SuppressWarnings("deprecation") // Hadoop's own mark on this kind of protocol.
public final class BerthWritableServer extends WritableRpcEngine.Server {
    private final BerthFront front;

    /** The same parameters as Hadoop's server. */
    public BerthWritableServer(
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
        // The question for the transport is one of protobuf.
        ProtobufRpcEngine2.registerProtocolEngine();
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
        return BerthServer.isQuestion(request)
                ? BerthServer.answer(front, protocol)
                : super.call(kind, protocol, request, receiveTime);
    }
}
