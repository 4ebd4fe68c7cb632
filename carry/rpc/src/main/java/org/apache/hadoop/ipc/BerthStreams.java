package org.apache.hadoop.ipc;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Responses that write themselves to Java's streams, such as messages of protobuf 2.5, on their way into messages
 * outside the
 * heap. A size is known only when everything is written, so each thread has an array for that, which it keeps while
 * there is memory.
 */
@NullMarked
final class BerthStreams {
    /** Maximum size of a buffer that is kept, as in Hadoop's servers (ipc.server.max.response.size by default). */
    private static final int LARGEST_KEPT_BYTES = 1 << 20;

    private static final ThreadLocal<@Nullable SoftReference<ResponseBuffer>> KEPT = new ThreadLocal<>();

    private BerthStreams() {}

    /** What is written, and read before the next one of the thread is. */
    record Written(ResponseBuffer stream) {
        int sizeBytes() {
            return stream.size();
        }

        void writeTo(ByteBuffer to) throws IOException {
            stream.writeTo(new Behind(to));
        }

        /** Returns the array to its thread. */
        void release() {
            if (stream.capacity() <= LARGEST_KEPT_BYTES) {
                KEPT.set(new SoftReference<>(stream));
            }
        }
    }

    /** Writes a header with its length, and then the value. */
    static Written write(Message header, Writable value) throws IOException {
        SoftReference<ResponseBuffer> kept = KEPT.get();
        ResponseBuffer stream = kept == null ? null : kept.get();
        // A value that makes a call while it is written gets another one.
        KEPT.remove();
        Written written = new Written(stream == null ? new ResponseBuffer() : stream.reset());
        try {
            header.writeDelimitedTo(written.stream());
            RpcWritable.wrap(value).writeTo(written.stream());
        } catch (IOException | RuntimeException | Error e) {
            written.release();
            throw e;
        }
        return written;
    }

    /** A buffer as a stream that leaves out the length that Hadoop puts before everything, which comes in one piece. */
    private static final class Behind extends OutputStream {
        private final ByteBuffer to;

        Behind(ByteBuffer to) {
            this.to = to;
        }

        @Override
        public void write(int one) {
            throw new UnsupportedOperationException("the array comes in one piece");
        }

        @Override
        public void write(byte[] array, int start, int count) {
            to.put(array, start + Integer.BYTES, count - Integer.BYTES);
        }
    }
}
