package org.berth.shuffle.client;

import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.network.buffer.ManagedBuffer;

/** A block that came over the transport, in one or several parts. Counts its users; the last one releases the parts. */
final class ReceivedBlock extends ManagedBuffer {
    private final List<Part> parts;
    private final long size;
    private final AtomicInteger users = new AtomicInteger(1);

    ReceivedBlock(List<Part> parts, long size) {
        this.parts = List.copyOf(parts);
        this.size = size;
    }

    @Override
    public long size() {
        return size;
    }

    /** Copies the parts if there are several. */
    @Override
    public ByteBuffer nioByteBuffer() throws IOException {
        requireUsed();
        if (parts.size() == 1) {
            return parts.get(0).bytes().duplicate();
        }
        if (size > Integer.MAX_VALUE) {
            throw new IOException("a block of " + size + " bytes does not fit into one buffer");
        }
        ByteBuffer all = ByteBuffer.allocate((int) size);
        parts.forEach(part -> all.put(part.bytes().duplicate()));
        return all.flip();
    }

    @Override
    public InputStream createInputStream() throws IOException {
        requireUsed();
        return new PartsInputStream(parts.stream().map(Part::bytes).toList(), this::requireUsed);
    }

    private void requireUsed() throws IOException {
        if (users.get() <= 0) {
            throw new IOException("the block of " + size + " bytes was released before");
        }
    }

    @Override
    public ManagedBuffer retain() {
        users.incrementAndGet();
        return this;
    }

    @Override
    public ManagedBuffer release() {
        if (users.decrementAndGet() == 0) {
            parts.forEach(Part::release);
        }
        return this;
    }

    @Override
    public Object convertToNetty() throws IOException {
        // A copy: Netty counts users in its own way, and Spark never sends on what it has fetched of a shuffle.
        ByteBuffer bytes = nioByteBuffer();
        return Unpooled.copiedBuffer(bytes);
    }

    @Override
    public Object convertToNettyForSsl() throws IOException {
        return convertToNetty();
    }
}
