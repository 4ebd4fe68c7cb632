package org.apache.hadoop.ipc;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.berth.rpc.link.Delimited;
import org.berth.transport.link.MessageBuffer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** A request that the handler parses where the transport received it, instead of an array. Thread-safe. */
@NullMarked
final class BerthRequest extends ProtobufRpcEngine2.RpcProtobufRequest {
    private final RequestHeaderProto header;
    private @Nullable MessageBuffer message;

    private BerthRequest(RequestHeaderProto header, MessageBuffer message) {
        this.header = header;
        this.message = message;
    }

    /** Reads the header of a request; the message's position is before it. It owns the message if it does not throw. */
    static BerthRequest read(MessageBuffer message) throws IOException {
        return new BerthRequest(Delimited.read(message.bytes(), RequestHeaderProto.parser()), message);
    }

    @Override
    RequestHeaderProto getRequestHeader() {
        return header;
    }

    /** Parses the parameter, once. */
    @Override
    @SuppressWarnings("unchecked")
    public synchronized <T> T getValue(T value) throws IOException {
        MessageBuffer held = message;
        if (held == null) {
            throw new IOException("the request " + this + " was read before");
        }
        try {
            ByteBuffer bytes = held.bytes();
            if (value instanceof Message prototype) {
                return (T) Delimited.read(bytes, prototype.getParserForType());
            }
            // Messages of protobuf 2.5 are read from arrays.
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            readFrom(ByteBuffer.wrap(copy));
            return super.getValue(value);
        } finally {
            release();
        }
    }

    /** Releases the message; does nothing the second time. */
    synchronized void release() {
        MessageBuffer held = message;
        message = null;
        if (held != null) {
            held.release();
        }
    }
}
