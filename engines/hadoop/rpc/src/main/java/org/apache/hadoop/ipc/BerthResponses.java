package org.apache.hadoop.ipc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.util.StringUtils;
import org.berth.rpc.link.ClientLink;
import org.berth.rpc.link.Delimited;
import org.berth.transport.Connection;
import org.berth.transport.MessageBuffer;
import org.berth.transport.TransportException;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Sends the responses of one connection, from the threads that have run the calls. Thread-safe. */
@NullMarked
final class BerthResponses {
    /** A client that takes nothing of its responses for so long is given up. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** Longer than slow clients keep the memory of their responses. */
    private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(90);

    private final BerthFront front;
    private final Connection connection;
    private final int largestBytes;

    BerthResponses(BerthFront front, Connection connection, int largestBytes) {
        this.front = front;
        this.connection = connection;
        this.largestBytes = Math.min(largestBytes, front.largestMessageBytes());
    }

    /** @param call for messages */
    void send(int id, int retry, Object call, @Nullable Writable value, @Nullable BerthFailure failure)
            throws IOException {
        // A fatal one ends the connection. The client does that: if the server did, the response could be lost.
        if (failure == null) {
            try {
                sendValue(id, header(id, retry, RpcStatusProto.SUCCESS).build(), call, value);
            } catch (TransportException e) {
                throw e;
            } catch (IOException | RuntimeException | Error e) {
                Server.LOG.warn("Error serializing call response for call " + call, e);
                sendFailure(
                        id,
                        retry,
                        new BerthFailure(
                                RpcStatusProto.ERROR,
                                RpcErrorCodeProto.ERROR_SERIALIZING_RESPONSE,
                                e.getClass().getName(),
                                StringUtils.stringifyException(e)));
            }
        } else {
            sendFailure(id, retry, failure);
        }
    }

    private RpcResponseHeaderProto.Builder header(int id, int retry, RpcStatusProto status) {
        RpcResponseHeaderProto.Builder header = RpcResponseHeaderProto.newBuilder()
                .setCallId(id)
                .setRetryCount(retry)
                .setStatus(status)
                .setServerIpcVersionNum(RpcConstants.CURRENT_VERSION);
        AlignmentContext alignment = front.alignment();
        if (alignment != null) {
            alignment.updateResponseState(header);
        }
        return header;
    }

    private void sendFailure(int id, int retry, BerthFailure failure) throws IOException {
        RpcResponseHeaderProto header = header(id, retry, failure.status())
                .setExceptionClassName(failure.errorClass())
                .setErrorMsg(String.valueOf(failure.message()))
                .setErrorDetail(failure.code())
                .build();
        sendMessage(id, header, null);
    }

    private void sendValue(int id, RpcResponseHeaderProto header, Object call, @Nullable Writable value)
            throws IOException {
        int size;
        if (value == null) {
            size = sendMessage(id, header, null);
        } else if (value instanceof RpcWritable.ProtobufWrapper wrapper) {
            size = sendMessage(id, header, wrapper.getMessage());
        } else {
            size = sendArray(id, header, value);
        }
        if (size > front.largeResponseBytes()) {
            Server.LOG.warn("Large response size " + size + " for call " + call);
        }
    }

    private int sendMessage(int id, RpcResponseHeaderProto header, @Nullable Message payload) throws IOException {
        int size = Delimited.size(header) + (payload == null ? 0 : Delimited.size(payload));
        MessageBuffer message = lease(id, size);
        if (message != null) {
            try {
                CodedOutputStream stream = CodedOutputStream.newInstance(message.bytes());
                Delimited.write(stream, header);
                if (payload != null) {
                    Delimited.write(stream, payload);
                }
                stream.flush();
            } catch (IOException | RuntimeException e) {
                message.release();
                throw e;
            }
            send(message);
        }
        return size;
    }

    /** What writes itself to Java's streams is written to an array first. */
    private int sendArray(int id, RpcResponseHeaderProto header, Writable value) throws IOException {
        ResponseBuffer stream = new ResponseBuffer();
        RpcWritable.wrap(header).writeTo(stream);
        RpcWritable.wrap(value).writeTo(stream);
        byte[] framed = stream.toByteArray();
        int size = framed.length - Integer.BYTES;
        MessageBuffer message = lease(id, size);
        if (message != null) {
            message.bytes().put(framed, Integer.BYTES, size);
            send(message);
        }
        return size;
    }

    /** A buffer with the reply's header; null when the client does not take so much, and was told. */
    private @Nullable MessageBuffer lease(int id, int size) throws TransportException {
        boolean fits = size <= largestBytes;
        awaitRoom();
        MessageBuffer message;
        try {
            message = connection.lease(
                    ClientLink.REPLY_HEADER_BYTES + (fits ? size : Long.BYTES),
                    front.isProgressThread() ? 0 : LEASE_NANOS);
        } catch (TransportException e) {
            // Without its response the client would wait for ever.
            connection.close(e);
            throw e;
        }
        ByteBuffer bytes = message.bytes();
        bytes.putInt(id).putInt(fits ? ClientLink.WHOLE : ClientLink.TOO_LARGE);
        if (!fits) {
            bytes.putLong(size);
            send(message);
            return null;
        }
        return message;
    }

    private void send(MessageBuffer message) throws TransportException {
        int size = message.bytes().limit();
        connection.send(message);
        front.server().rpcMetrics.incrSentBytes(size);
    }

    /** One client that reads slowly may not take the memory of all others' responses. */
    private void awaitRoom() throws TransportException {
        long limit = front.largestMessageBytes() / 2;
        if (connection.queuedBytes() <= limit) {
            return;
        }
        long start = System.nanoTime();
        long least = Long.MAX_VALUE;
        for (long queued = connection.queuedBytes(); queued > limit; queued = connection.queuedBytes()) {
            if (queued < least) {
                least = queued;
                start = System.nanoTime();
            }
            if (front.isProgressThread() || System.nanoTime() - start > PATIENCE_NANOS) {
                TransportException slow = new TransportException(
                        TransportException.Kind.TIMEOUT,
                        connection.peer() + " takes its responses too slowly: " + queued + " bytes wait");
                connection.close(slow);
                throw slow;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TransportException(
                        TransportException.Kind.CLOSED, "interrupted before a response was sent", e);
            }
        }
    }
}
