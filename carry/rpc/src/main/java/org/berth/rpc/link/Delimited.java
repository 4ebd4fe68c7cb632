package org.berth.rpc.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.Parser;

/** Messages of protobuf with their length before them, in buffers outside of the heap, without a copy on the heap. */
public final class Delimited {
    private Delimited() {}

    /** The bytes of a message with its length. */
    public static int size(Message message) {
        int size = message.getSerializedSize();
        return CodedOutputStream.computeUInt32SizeNoTag(size) + size;
    }

    /** Writes a message with its length. */
    public static void write(CodedOutputStream to, Message message) throws IOException {
        to.writeUInt32NoTag(message.getSerializedSize());
        message.writeTo(to);
    }

    /** Reads the message at the buffer's position, which moves behind it. */
    public static <T> T read(ByteBuffer from, Parser<T> parser) throws IOException {
        int start = from.position();
        CodedInputStream stream = CodedInputStream.newInstance(from);
        stream.pushLimit(stream.readRawVarint32());
        T message = parser.parseFrom(stream);
        stream.checkLastTagWas(0);
        from.position(start + stream.getTotalBytesRead());
        return message;
    }
}
