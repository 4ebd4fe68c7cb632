package org.berth.examples;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * Bytes that all threads of this JVM allocate in the heap, also those that end: JDK 17 counts allocations of living threads only.
 * The sum of what the heap grew between collections; the error is about one region of the collector for each of them.
 */
final class AllocatedBytes {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Set<String> heapPools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toSet());
    private final long collectionsAtStart;
    private long collections;
    private long usedBefore;
    private long sum;

    private AllocatedBytes() {
        // Before the numbers are taken: a collection between them and the listener would never be reported.
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector)
                    .addNotificationListener(
                            (notification, ignored) -> add(
                                    GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                                            .getGcInfo()),
                            null,
                            null);
        }
        synchronized (this) {
            collectionsAtStart = count();
            usedBefore = used();
        }
    }

    /** Begins to count. */
    static AllocatedBytes start() {
        return new AllocatedBytes();
    }

    private synchronized void add(GcInfo info) {
        sum += heap(info.getMemoryUsageBeforeGc()) - usedBefore;
        usedBefore = heap(info.getMemoryUsageAfterGc());
        collections++;
    }

    /**
     * Returns the bytes since the start; empty when the JVM does not report all of its collections, which it does on another thread,
     * in time.
     */
    OptionalLong end() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() < deadline) {
            synchronized (this) {
                if (collections >= count() - collectionsAtStart) {
                    return OptionalLong.of(sum + used() - usedBefore);
                }
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return OptionalLong.empty();
    }

    private long heap(Map<String, MemoryUsage> usage) {
        return usage.entrySet().stream()
                .filter(pool -> heapPools.contains(pool.getKey()))
                .mapToLong(pool -> pool.getValue().getUsed())
                .sum();
    }

    private static long used() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long count() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }
}
