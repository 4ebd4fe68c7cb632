package org.berth.observation.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;

/**
 * The size of a page of memory, for which the JDK has no method. Thread-safe.
 *
 * @since 0.1.0
 */
public final class PageSize {
    /** AT_PAGESZ of getauxval(3). */
    private static final long AT_PAGESZ = 6;

    private PageSize() {}

    /** That of this process. */
    public static Reading<Long> bytes() {
        return of(Path.of("/proc/self"));
    }

    /** From the auxiliary vector, which has pairs of 64-bit numbers: Berth is built for 64-bit systems only. */
    public static Reading<Long> of(Path process) {
        Path auxv = process.resolve("auxv");
        try {
            LongBuffer pairs = ByteBuffer.wrap(Files.readAllBytes(auxv))
                    .order(ByteOrder.nativeOrder())
                    .asLongBuffer();
            while (pairs.remaining() >= 2) {
                if (pairs.get() == AT_PAGESZ) {
                    return Reading.of(pairs.get());
                }
                pairs.get();
            }
            return Reading.absent(auxv + " has no size of a page");
        } catch (IOException unreadable) {
            return Reading.refused(Refusal.of(auxv, process));
        }
    }
}
