package org.berth.spark.status;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** The size of a page of memory, which no class of the JDK tells. */
final class StatusPages {
    /** AT_PAGESZ of getauxval(3). */
    private static final long PAGE_SIZE = 6;

    private StatusPages() {}

    /** From what the kernel gave this process at its start; empty when it may not be read. */
    static OptionalLong sizeBytes() {
        try {
            return sizeBytes(Files.readAllBytes(Path.of("/proc/self/auxv")));
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /** Pairs of 64-bit numbers, key and value: every system that Berth is built for has 64 bits. */
    static OptionalLong sizeBytes(byte[] auxiliaryVector) {
        ByteBuffer pairs = ByteBuffer.wrap(auxiliaryVector).order(ByteOrder.nativeOrder());
        while (pairs.remaining() >= 16) {
            long key = pairs.getLong();
            long value = pairs.getLong();
            if (key == PAGE_SIZE && value > 0) {
                return OptionalLong.of(value);
            }
        }
        return OptionalLong.empty();
    }
}
