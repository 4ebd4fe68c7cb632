package org.berth.transport.link;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.berth.transport.failure.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * A leased buffer outside the heap for one message. It has room for a frame's header before the message, so that header
 * and message are sent together without a copy.
 *
 * <p>Its lease belongs to one owner at a time: the thread that leased it, then the engine that sends it, or the
 * receiver of a message. The owner releases it once. Not thread-safe but for {@link #release}.
 *
 * @since 0.1.0
 */
public final class MessageBuffer {
    private final MessageBuffers pool;
    /** The bytes that UCX sends: the number of a link, then the frame: its header, then the message. */
    private final ByteBuffer memory;

    private final ByteBuffer frame;
    private final ByteBuffer bytes;
    private final int sizeClass;
    private int reservedClass;
    private final AtomicBoolean leased = new AtomicBoolean();
    private @Nullable SendCompletion completion;
    private @Nullable Share share;

    /** Whether a provider that receives out of order has all of it. */
    public volatile boolean ready;

    /** What the provider that sends it keeps here from one lease to the next. */
    @Nullable
    public Object sending;

    MessageBuffer(MessageBuffers pool, int sizeClass) {
        this.pool = pool;
        this.sizeClass = sizeClass;
        this.memory = ByteBuffer.allocateDirect((1 << sizeClass) + Frame.OVERHEAD_BYTES);
        this.frame = memory.slice(Frame.LINK_BYTES, memory.capacity() - Frame.LINK_BYTES);
        this.bytes = frame.slice(Frame.HEADER_BYTES, frame.capacity() - Frame.HEADER_BYTES);
    }

    /**
     * The message. To send one, write it from position 0 and set the limit to its end (as {@link ByteBuffer#flip}
     * does); a received one lies between position 0 and the limit. Big-endian. The same object for the whole lease.
     *
     * @throws IllegalStateException when the buffer is not leased
     */
    public ByteBuffer bytes() {
        if (!leased.get()) {
            throw new IllegalStateException("the buffer was released");
        }
        return bytes;
    }

    /**
     * Returns the buffer to its pool.
     *
     * @throws IllegalStateException when that was done before
     */
    public void release() {
        if (!leased.compareAndSet(true, false)) {
            throw new IllegalStateException("the buffer was released twice");
        }
        completion = null;
        Share charged = share;
        share = null;
        pool.takeBack(this, charged);
    }

    void chargeTo(Share owner) {
        share = owner;
    }

    void leaseFor(int size, int reserved) {
        leased.set(true);
        reservedClass = reserved;
        bytes.clear().limit(size);
    }

    /** Gets the message, as far as it is there, and the lease of a smaller buffer. */
    void takeOver(MessageBuffer part, int size) {
        leaseFor(size, part.reservedClass);
        bytes.put(part.bytes.flip());
        share = part.share;
        part.share = null;
        part.leased.set(false);
    }

    /** A larger one, with what has arrived. */
    public MessageBuffer grown(int size) throws TransportException {
        return pool.grow(this, size);
    }

    int reservedClass() {
        return reservedClass;
    }

    int sizeClass() {
        return sizeClass;
    }

    /** Sets what is called when the message has been sent, or clears it. */
    public void onSent(@Nullable SendCompletion whenSent) {
        completion = whenSent;
    }

    /** Tells whether something is called when the message has been sent. */
    public boolean hasCompletion() {
        return completion != null;
    }

    /** The header and the message, from position 0 to the message's limit. */
    public ByteBuffer framed(FrameKind kind) {
        int length = bytes.limit();
        Frame.putHeader(frame, kind, length);
        frame.limit(Frame.HEADER_BYTES + length).position(0);
        return frame;
    }

    /** Returns the memory of the frame: the header and the message. */
    public ByteBuffer memory() {
        return memory;
    }

    /** The frame as {@link #framed} left it, with the position where the sender is. */
    public ByteBuffer frame() {
        return frame;
    }

    /** Releases it after it was sent or failed, and tells so. */
    public void finish(@Nullable TransportException failure) {
        SendCompletion whenSent = completion;
        release();
        if (whenSent != null) {
            try {
                whenSent.done(failure);
            } catch (Throwable e) {
                // The messages behind it end, too.
                LinkFailures.tell("the callback for the end of a message failed", e);
            }
        }
    }
}
