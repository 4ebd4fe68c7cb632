package org.apache.hadoop.ipc;

import java.io.IOException;
import java.nio.ByteBuffer;
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
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Sends the responses of one connection, from the threads that have run the calls. Thread-safe. */
@NullMarked
final class BerthResponses {
    private final BerthFront front;
    private final Connection connection;
    private final BerthLateResponses late;
    private final int largestBytes;

    BerthResponses(BerthFront front, Connection connection, int largestBytes) {
        this.front = front;
        this.connection = connection;
        this.late = new BerthLateResponses(connection, front.largestMessageBytes());
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
            size = sendWritten(id, header, value);
        }
        if (size > front.largeResponseBytes()) {
            Server.LOG.warn("Large response size " + size + " for call " + call);
        }
    }

    private int sendMessage(int id, RpcResponseHeaderProto header, @Nullable Message payload) throws IOException {
        int size = Delimited.size(header) + (payload == null ? 0 : Delimited.size(payload));
        send(id, size, stream -> {
            CodedOutputStream to = CodedOutputStream.newInstance(stream);
            Delimited.write(to, header);
            if (payload != null) {
                Delimited.write(to, payload);
            }
            to.flush();
        });
        return size;
    }

    /** What writes itself to Java's streams has no size before. */
    private int sendWritten(int id, RpcResponseHeaderProto header, Writable value) throws IOException {
        BerthStreams.Written written = BerthStreams.write(header, value);
        try {
            int size = written.sizeBytes();
            send(id, size, written::writeTo);
            return size;
        } finally {
            written.release();
        }
    }

    /** Fills a buffer from its position to its limit. */
    private interface Content {
        void writeTo(ByteBuffer to) throws IOException;
    }

    /** Sends it, or leaves it to be sent when the client has taken others; a client that takes less is told the size. */
    private void send(int id, int size, Content content) throws IOException {
        boolean fits = size <= largestBytes;
        int length = ClientLink.REPLY_HEADER_BYTES + (fits ? size : Long.BYTES);
        MessageBuffer message = late.lease(length);
        if (message == null) {
            byte[] bytes = new byte[length];
            write(ByteBuffer.wrap(bytes), id, size, fits, content);
            late.add(bytes);
        } else {
            try {
                write(message.bytes(), id, size, fits, content);
            } catch (IOException | RuntimeException | Error e) {
                message.release();
                throw e;
            }
            connection.send(message);
        }
        front.server().rpcMetrics.incrSentBytes(length);
    }

    private static void write(ByteBuffer to, int id, int size, boolean fits, Content content) throws IOException {
        to.putInt(id).putInt(fits ? ClientLink.WHOLE : ClientLink.TOO_LARGE);
        if (fits) {
            content.writeTo(to);
        } else {
            to.putLong(size);
        }
    }

    /** The connection has ended. */
    void close() {
        late.close();
    }
}
