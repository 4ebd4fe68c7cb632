package org.berth.spark.status;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.berth.binding.Reason;
import org.berth.observation.MemoryLocality;
import org.berth.observation.MemorySnapshot;
import org.berth.observation.ObservationException;
import org.berth.topology.NodeSet;

/**
 * How much memory of this JVM is on which nodes. With one node nothing can be remote, and only the sum is read. Otherwise
 * the kernel walks the page tables, and {@code mmap} of this process waits meanwhile: 10 ms of CPU time for each GiB of
 * small pages were measured. So a walk happens at most every 30 seconds and for less than one hundredth of a CPU, and no
 * more at all when it would take longer than a second, as with a heap of 100 GiB in small pages. Not thread-safe.
 */
final class StatusMemory {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long MAX_WALK_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** A walk may take one hundredth of the time until the next one. */
    private static final int SPACING = 100;

    private final long pid = ProcessHandle.current().pid();
    private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    private final boolean severalNodes;
    private final long maxWalkNanos;
    private final long everyNanos;
    private MemoryLocality last = unknown();
    private String problem = "";
    private long nextNanos = System.nanoTime();
    private long walkNanos;
    private long walkedBytes;

    StatusMemory(boolean severalNodes) {
        this(severalNodes, MAX_WALK_NANOS, EVERY_NANOS);
    }

    /**
     * With other limits, for tests.
     *
     * @param maxWalkNanos CPU time that one walk may take
     */
    StatusMemory(boolean severalNodes, long maxWalkNanos, long everyNanos) {
        this.severalNodes = severalNodes;
        this.maxWalkNanos = maxWalkNanos;
        this.everyNanos = everyNanos;
    }

    /** Total and near bytes as of the last walk, or of a new one when it is due; a negative total is not known. */
    MemoryLocality sample(NodeSet domain) {
        try {
            if (!severalNodes) {
                long bytes = residentBytes();
                last = new MemoryLocality(bytes, bytes);
            } else if (System.nanoTime() - nextNanos >= 0) {
                last = walk(domain.isEmpty() ? NodeSet.full() : domain);
                nextNanos = System.nanoTime() + Math.max(everyNanos, walkNanos * SPACING);
            }
        } catch (IOException | ObservationException e) {
            problem = "remote pages are not known: " + Reason.of(e);
            last = unknown();
            nextNanos = System.nanoTime() + everyNanos;
        }
        return last;
    }

    /** Why the remote bytes are not known, else empty. */
    String problem() {
        return problem;
    }

    private MemoryLocality walk(NodeSet domain) throws IOException {
        long resident = residentBytes();
        double expectedNanos = walkedBytes == 0 ? 0 : (double) walkNanos * resident / walkedBytes;
        if (expectedNanos > maxWalkNanos) {
            problem = String.format(
                    Locale.ROOT,
                    "remote pages are not read any more: for %.1f GiB the kernel would take about %.1f s, while mmap waits",
                    resident / (double) (1L << 30),
                    expectedNanos / 1e9);
            return unknown();
        }
        long startNanos = clock.getCurrentThreadCpuTime();
        MemorySnapshot snapshot = MemorySnapshot.of(pid);
        walkNanos = clock.getCurrentThreadCpuTime() - startNanos;
        walkedBytes = snapshot.totalBytes();
        problem = "";
        return MemoryLocality.of(snapshot, domain);
    }

    /** VmRSS of proc_pid_status(5), which the kernel has without a walk. */
    private static long residentBytes() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(ExecutorStatus.UNKNOWN);
        }
    }

    private static MemoryLocality unknown() {
        return new MemoryLocality(0, ExecutorStatus.UNKNOWN);
    }
}
