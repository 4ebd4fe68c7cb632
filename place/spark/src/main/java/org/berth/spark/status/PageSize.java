package org.berth.spark.status;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** The size of a page of memory, for which the JDK has no method. */
final class PageSize {
    /** AT_PAGESZ of getauxval(3). */
    private static final long PAGE_SIZE = 6;

    private PageSize() {}

    /** Read from the auxiliary vector of this process; empty when that may not be read. */
    static OptionalLong bytes() {
        try {
            return bytes(Files.readAllBytes(Path.of("/proc/self/auxv")));
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /** The vector has pairs of 64-bit numbers, key and value: Berth is built for 64-bit systems only. */
    static OptionalLong bytes(byte[] auxiliaryVector) {
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
