package org.berth.shuffle.client;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a block.
 *
 * @param bytes from position to limit
 * @param message where they are; null when they are on the heap
 */
public record Part(ByteBuffer bytes, @Nullable SharedMessage message) {
    /** Copies bytes, so that their message can be released at once. */
    static Part copy(ByteBuffer bytes) {
        return new Part(ByteBuffer.allocate(bytes.remaining()).put(bytes).flip(), null);
    }

    /** Keeps the message until the part is released. */
    static Part keep(ByteBuffer bytes, SharedMessage message) {
        return new Part(bytes, message.retain());
    }

    void release() {
        if (message != null) {
            message.release();
        }
    }
}
