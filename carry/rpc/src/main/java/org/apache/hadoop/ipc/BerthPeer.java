package org.apache.hadoop.ipc;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.berth.rpc.link.Delimited;
import org.berth.rpc.link.Grants;
import org.berth.rpc.link.RpcCounters;
import org.berth.transport.Connection;
import org.berth.transport.Receiver;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection of the transport, at the server: it makes calls of messages, as Server.Connection does of what its
 * readers read. Thread-safe.
 */
@NullMarked
@SuppressWarnings("NullAway") // null is Hadoop's word for: none
final class BerthPeer implements Receiver {
    private final BerthFront front;
    private final Grants.Grant grant;
    private final int port;
    private final boolean runsInline;
    private final BerthResponses responses;
    private volatile boolean open = true;

    BerthPeer(
            BerthFront front, Connection connection, Grants.Grant grant, int largestResponseBytes, boolean runsInline) {
        this.front = front;
        this.grant = grant;
        this.port = connection.peerAddress().getPort();
        this.runsInline = runsInline;
        this.responses = new BerthResponses(front, connection, largestResponseBytes);
    }

    RPC.Server server() {
        return front.server();
    }

    @Nullable
    UserGroupInformation user() {
        return grant.user();
    }

    @Nullable
    String protocol() {
        return grant.protocol();
    }

    InetAddress address() {
        return grant.address();
    }

    int port() {
        return port;
    }

    boolean isOpen() {
        return open;
    }

    boolean isServing() {
        return front.isServing();
    }

    void respond(BerthCall call, @Nullable Writable value, @Nullable BerthFailure failure) throws IOException {
        try {
            responses.send(call.callId, call.retryCount, call, value, failure);
        } catch (TransportException e) {
            // Nobody waits for it any more.
            Server.LOG.info("{}: no response to {}: {}", Thread.currentThread().getName(), call, e.getMessage());
        }
    }

    @Override
    public void received(Connection from, MessageBuffer message) {
        server().rpcMetrics.incrReceivedBytes(message.bytes().limit());
        int callId = RpcConstants.INVALID_CALL_ID;
        int retry = RpcConstants.INVALID_RETRY_COUNT;
        boolean isTaken = false;
        BerthFailure failure;
        try {
            RpcRequestHeaderProto header = header(message.bytes());
            callId = header.getCallId();
            retry = header.getRetryCount();
            check(header);
            BerthRequest request = request(header, message);
            isTaken = true;
            BerthCall call = BerthCall.of(this, header, request);
            try {
                prepare(call, header, request);
                RpcCounters.instance().callServed();
                if (runsInline && front.canRunInline(call)) {
                    front.runInline(call);
                } else {
                    front.enqueue(call);
                }
            } catch (Throwable e) {
                call.discard();
                throw e;
            }
            return;
        } catch (RpcServerException e) {
            failure = BerthFailure.ofServer(e);
        } catch (Throwable e) {
            failure = BerthFailure.ofServer(new BerthFatal(
                    RpcErrorCodeProto.ERROR_RPC_SERVER, e instanceof IOException io ? io : new IOException(e)));
        } finally {
            if (!isTaken) {
                message.release();
            }
        }
        try {
            responses.send(callId, retry, "call #" + callId, null, failure);
        } catch (IOException gone) {
            // The connection's end tells the client.
        }
    }

    private static RpcRequestHeaderProto header(ByteBuffer bytes) throws RpcServerException {
        try {
            return Delimited.read(bytes, RpcRequestHeaderProto.parser());
        } catch (IOException | RuntimeException e) {
            throw new BerthFatal(
                    RpcErrorCodeProto.FATAL_DESERIALIZING_REQUEST, "Error decoding RpcRequestHeaderProto: " + e);
        }
    }

    private static void check(RpcRequestHeaderProto header) throws RpcServerException {
        if (header.getCallId() < 0 || !header.hasRpcKind() || header.getRpcOp() != OperationProto.RPC_FINAL_PACKET) {
            throw new BerthFatal(
                    RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER,
                    "call #" + header.getCallId() + " of kind " + header.getRpcKind() + ", operation "
                            + header.getRpcOp());
        }
    }

    private BerthRequest request(RpcRequestHeaderProto header, MessageBuffer message) throws RpcServerException {
        if (header.getRpcKind() != RpcKindProto.RPC_PROTOCOL_BUFFER) {
            throw new BerthFatal(
                    RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER,
                    "Unknown rpc kind in rpc header " + header.getRpcKind());
        }
        try {
            return BerthRequest.read(message);
        } catch (IOException | RuntimeException e) {
            Server.LOG.warn(
                    "Unable to read call parameters for client " + address().getHostAddress()
                            + " on connection protocol " + protocol(),
                    e);
            throw new BerthFatal(
                    RpcErrorCodeProto.FATAL_DESERIALIZING_REQUEST,
                    "IPC server unable to read call parameters: " + e.getMessage());
        }
    }

    private void prepare(BerthCall call, RpcRequestHeaderProto header, BerthRequest request) throws RpcServerException {
        call.setPriorityLevel(server().getPriorityLevel(call));
        call.markCallCoordinated(false);
        AlignmentContext alignment = front.alignment();
        if (alignment == null) {
            return;
        }
        try {
            if (alignment.isCoordinatedCall(
                    request.getRequestHeader().getDeclaringClassProtocolName(),
                    request.getRequestHeader().getMethodName())) {
                call.markCallCoordinated(true);
                call.setClientStateId(alignment.receiveRequestState(header, server().getMaxIdleTime()));
                if (header.hasRouterFederatedState()) {
                    call.setFederatedNamespaceState(header.getRouterFederatedState());
                }
            }
        } catch (IOException e) {
            throw new RpcServerException("Processing RPC request caught ", e);
        }
    }

    @Override
    public void closed(Connection from, @Nullable TransportException cause) {
        open = false;
        responses.close();
        RpcCounters.instance().connectionClosed();
    }

    @Override
    public String toString() {
        return address().getHostAddress() + ":" + port;
    }
}
