package org.berth.spark.status;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.berth.observation.ProcessStatus;
import org.berth.text.Bytes;

/**
 * A schedule for when the kernel may walk the page tables of this JVM, for files as numa_maps and smaps: {@code mmap}
 * of this process waits meanwhile. So a walk happens at most every 30 seconds and for less than one hundredth of a CPU,
 * and no more at all when it would take longer than a second, as with a heap of 100 GiB in small pages. Not
 * thread-safe.
 */
final class PageWalk {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** A walk may take one hundredth of the time until the next one. */
    private static final int SPACING = 100;

    private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    private final long maxNanos;
    private final long everyNanos;
    private long nextNanos = System.nanoTime();
    private long walkNanos;
    private long walkedBytes;

    PageWalk() {
        this(MAX_NANOS, EVERY_NANOS);
    }

    /** A schedule whose first walk is later than now. */
    static PageWalk after(long nanos) {
        PageWalk walk = new PageWalk();
        walk.nextNanos += nanos;
        return walk;
    }

    /**
     * Uses other limits, for tests.
     *
     * @param maxNanos CPU time that one walk may take
     */
    PageWalk(long maxNanos, long everyNanos) {
        this.maxNanos = maxNanos;
        this.everyNanos = everyNanos;
    }

    boolean isDue() {
        return System.nanoTime() - nextNanos >= 0;
    }

    /** Puts the next walk off, after one that was made, refused or failed. */
    void putOff() {
        nextNanos = System.nanoTime() + Math.max(everyNanos, walkNanos * SPACING);
    }

    /** Why the next walk would take too long, by what the last one took; empty when it may be made. */
    Optional<String> refusal() throws IOException {
        long resident = residentBytes();
        double expectedNanos = walkedBytes == 0 ? 0 : (double) walkNanos * resident / walkedBytes;
        return expectedNanos <= maxNanos
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "for %s the kernel would take about %.1f s, while mmap waits",
                        Bytes.text(resident),
                        expectedNanos / 1e9));
    }

    /** Makes a walk and measures it. */
    <T> T measure(Supplier<T> walk) throws IOException {
        long startNanos = clock.getCurrentThreadCpuTime();
        T seen = walk.get();
        walkNanos = clock.getCurrentThreadCpuTime() - startNanos;
        walkedBytes = residentBytes();
        return seen;
    }

    /** The numbers that the kernel has without a walk. */
    static long residentBytes() throws IOException {
        return ProcessStatus.self().residentBytes();
    }
}
