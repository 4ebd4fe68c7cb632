package org.berth.shuffle.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/** Reads the parts of a block one after the other. For one thread at a time. */
final class PartsInputStream extends InputStream {
    /** Refuses to read what may be another message's by now. */
    interface Check {
        void run() throws IOException;
    }

    private final Deque<ByteBuffer> rest = new ArrayDeque<>();
    private final Check beforeRead;

    PartsInputStream(List<ByteBuffer> parts, Check beforeRead) {
        parts.forEach(part -> {
            if (part.hasRemaining()) {
                rest.add(part.duplicate());
            }
        });
        this.beforeRead = beforeRead;
    }

    @Override
    public int read() throws IOException {
        beforeRead.run();
        ByteBuffer first = rest.peek();
        if (first == null) {
            return -1;
        }
        int value = Byte.toUnsignedInt(first.get());
        dropEmpty(first);
        return value;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        if (length == 0) {
            return 0;
        }
        beforeRead.run();
        ByteBuffer first = rest.peek();
        if (first == null) {
            return -1;
        }
        int count = Math.min(length, first.remaining());
        first.get(to, offset, count);
        dropEmpty(first);
        return count;
    }

    @Override
    public long skip(long wanted) {
        long left = wanted;
        for (ByteBuffer first = rest.peek(); left > 0 && first != null; first = rest.peek()) {
            int count = (int) Math.min(left, first.remaining());
            first.position(first.position() + count);
            left -= count;
            dropEmpty(first);
        }
        return Math.max(0, wanted) - Math.max(0, left);
    }

    @Override
    public int available() {
        ByteBuffer first = rest.peek();
        return first == null ? 0 : first.remaining();
    }

    private void dropEmpty(ByteBuffer first) {
        if (!first.hasRemaining()) {
            rest.remove();
        }
    }
}
