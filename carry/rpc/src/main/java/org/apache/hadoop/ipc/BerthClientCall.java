package org.apache.hadoop.ipc;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.util.ProtoUtil;
import org.berth.rpc.link.ClientLink;
import org.berth.rpc.link.Delimited;
import org.berth.rpc.link.PendingCall;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * One call of a client, with the number and count of retries that its thread has set. Its exceptions are those of Hadoop's
 * client, by which retry policies decide.
 *
 * @param externalHandler what Hadoop notifies of asynchronous calls
 */
@NullMarked
record BerthClientCall(int id, int retry, @Nullable Object externalHandler) {
    /** Without a buffer for so long, Hadoop's connection is used. */
    private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Takes the number from the thread, as Hadoop's client does: the next call gets another one. */
    @SuppressWarnings("NullAway") // null is Hadoop's word for: none
    static BerthClientCall take() {
        BerthClientCall call =
                new BerthClientCall(Client.getCallId(), Client.getRetryCount(), Client.getExternalHandler());
        Client.setCallIdAndRetryCountUnprotected(null, call.retry, call.externalHandler);
        return call;
    }

    /** Leaves the number for Hadoop's client. */
    @SuppressWarnings("NullAway") // null is Hadoop's word for: none
    void giveBack() {
        Client.setCallIdAndRetryCountUnprotected(id, retry, externalHandler);
    }

    /** Hadoop's client sends nothing for a thread that was interrupted before. */
    void requireNotInterrupted() throws InterruptedIOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("Interrupted waiting to send RPC request to server");
        }
    }

    RpcRequestHeaderProto header(byte[] clientId, @Nullable AlignmentContext alignment) {
        return ProtoUtil.makeRpcRequestHeader(
                RPC.RpcKind.RPC_PROTOCOL_BUFFER, OperationProto.RPC_FINAL_PACKET, id, retry, clientId, alignment);
    }

    /**
     * Sends a request and waits for the reply.
     *
     * @param request null when there is none for this way
     * @return the reply, which the caller releases; null when nothing was sent
     */
    @Nullable
    MessageBuffer exchange(ClientLink link, ConnectionId to, @Nullable MessageBuffer request) throws IOException {
        PendingCall pending = request == null ? null : PendingCall.begin();
        if (request == null || pending == null) {
            if (request != null) {
                request.release();
            }
            return null;
        }
        try {
            if (!link.send(id, request, pending)) {
                return null;
            }
            return link.await(id, pending, timeoutMillis(to));
        } catch (RemoteException e) {
            // Told to one call, and the end of all of them: each gets its own.
            throw new RemoteException(e.getClassName(), e.getMessage(), e.getErrorCode());
        } catch (InterruptedIOException e) {
            throw e instanceof java.net.SocketTimeoutException ? wrapped(to, e) : e;
        } catch (IOException e) {
            throw wrapped(to, e);
        } finally {
            pending.end();
        }
    }

    /** 0 for none. Hadoop takes less than 0 for none too, and looks at the time after each ping only. */
    private static int timeoutMillis(ConnectionId to) {
        int timeout = Math.max(0, to.getRpcTimeout());
        int ping = to.getPingInterval();
        boolean isRounded = to.getDoPing() && ping > 0 && ping < timeout;
        return isRounded ? (int) Math.min(Integer.MAX_VALUE, (timeout + ping - 1L) / ping * ping) : timeout;
    }

    private static IOException wrapped(ConnectionId to, IOException e) {
        return NetUtils.wrapException(
                to.getAddress().getHostName(), to.getAddress().getPort(), NetUtils.getHostname(), 0, e);
    }

    /** A request of messages; null when it is not for this way. */
    static @Nullable MessageBuffer request(ClientLink link, Message... parts) throws IOException {
        long size = 0;
        for (Message part : parts) {
            size += Delimited.size(part);
        }
        MessageBuffer message = lease(link, size);
        if (message == null) {
            return null;
        }
        try {
            CodedOutputStream stream = CodedOutputStream.newInstance(message.bytes());
            for (Message part : parts) {
                Delimited.write(stream, part);
            }
            stream.flush();
            return message;
        } catch (IOException | RuntimeException | Error e) {
            message.release();
            throw e;
        }
    }

    /** Null when it is too large for this way, or there is no memory: Hadoop's way answers as ever. */
    private static @Nullable MessageBuffer lease(ClientLink link, long size) {
        if (size > link.largestRequestBytes()) {
            return null;
        }
        try {
            return link.lease((int) size, LEASE_NANOS);
        } catch (TransportException e) {
            return null;
        }
    }

    /**
     * Reads what is before a response.
     *
     * @throws RemoteException when the call failed at the server
     */
    static void readHeader(ClientLink link, ConnectionId to, MessageBuffer reply, @Nullable AlignmentContext alignment)
            throws IOException {
        reply.bytes().position(ClientLink.REPLY_HEADER_BYTES);
        if (reply.bytes().getInt(Integer.BYTES) == ClientLink.TOO_LARGE) {
            throw wrapped(
                    to,
                    new RpcException("RPC response has a length of "
                            + reply.bytes().getLong() + " exceeds maximum data length"));
        }
        RpcResponseHeaderProto header = Delimited.read(reply.bytes(), RpcResponseHeaderProto.parser());
        if (header.getStatus() == RpcStatusProto.SUCCESS) {
            if (alignment != null) {
                alignment.receiveResponseState(header);
            }
            return;
        }
        RemoteException failure = new RemoteException(
                header.hasExceptionClassName() ? header.getExceptionClassName() : "ServerDidNotSetExceptionClassName",
                header.hasErrorMsg() ? header.getErrorMsg() : "ServerDidNotSetErrorMsg",
                header.hasErrorDetail() ? header.getErrorDetail() : null);
        if (header.getStatus() == RpcStatusProto.FATAL) {
            link.close(failure);
        }
        throw failure;
    }

    static void requireEnd(MessageBuffer reply) throws RpcClientException {
        if (reply.bytes().hasRemaining()) {
            throw new RpcClientException("RPC response length mismatch");
        }
    }
}
