package org.berth.spark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.berth.observation.MemoryLocality;
import org.berth.observation.MemorySnapshot;
import org.berth.observation.MigrationCount;
import org.berth.observation.MigrationCounter;
import org.berth.observation.ObservationException;
import org.berth.observation.ThreadSampler;
import org.berth.topology.NodeSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel says of this JVM: moves of its threads, and memory on other nodes. Looks no oftener than every two
 * seconds at the threads and every thirty at the memory, and seldom enough that either takes less than one hundredth of
 * one CPU: the kernel walks all page tables for the memory. With one memory node nothing can be remote, and the memory is
 * not walked at all. Not thread-safe.
 */
final class StatusObserver implements AutoCloseable {
    private static final long THREADS_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    private static final long MEMORY_EVERY_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int SHARE = 100;
    private static final long UNKNOWN = ExecutorStatus.UNKNOWN;

    private final long pid = ProcessHandle.current().pid();
    private final boolean manyNodes;
    private final MigrationCounter counter;
    private final OptionalLong pageBytes = StatusPages.sizeBytes();
    private @Nullable ThreadSampler sampler;
    private Seen seen = new Seen(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, List.of());
    private String threadProblem = "";
    private String memoryProblem = "";
    private long nextThreadsNanos = System.nanoTime();
    private long nextMemoryNanos = System.nanoTime();

    /** The numbers are those of {@link ExecutorStatus.Counters}; the notes say why one of them is not known. */
    record Seen(
            long migrations,
            long nodeMigrations,
            long memoryBytes,
            long remoteBytes,
            long remotePages,
            List<String> notes) {}

    StatusObserver(Topology topology) {
        manyNodes = topology.count(ObjectType.NUMA_NODE) > 1;
        counter = new MigrationCounter(topology);
    }

    /**
     * Looks where it is time to, and gives the newest numbers.
     *
     * @param home the nodes of the executor's domain
     */
    Seen look(NodeSet home) {
        long migrations = seen.migrations();
        long nodeMigrations = seen.nodeMigrations();
        if (System.nanoTime() - nextThreadsNanos >= 0) {
            long startNanos = System.nanoTime();
            MigrationCount count = countMigrations();
            migrations = count == null ? UNKNOWN : count.betweenCpus();
            nodeMigrations = count == null ? UNKNOWN : count.seenBetweenNodes();
            nextThreadsNanos = next(startNanos, THREADS_EVERY_NANOS);
        }
        MemoryLocality memory = new MemoryLocality(seen.memoryBytes() - seen.remoteBytes(), seen.memoryBytes());
        if (!manyNodes) {
            memory = residentMemory();
        } else if (System.nanoTime() - nextMemoryNanos >= 0) {
            long startNanos = System.nanoTime();
            memory = memory(home);
            nextMemoryNanos = next(startNanos, MEMORY_EVERY_NANOS);
        }
        long remoteBytes = memory.totalBytes() < 0 ? UNKNOWN : memory.totalBytes() - memory.nearBytes();
        long pages = remoteBytes < 0 || pageBytes.isEmpty() ? UNKNOWN : remoteBytes / pageBytes.getAsLong();
        seen = new Seen(migrations, nodeMigrations, memory.totalBytes(), remoteBytes, pages, notes());
        return seen;
    }

    private static long next(long startNanos, long everyNanos) {
        long now = System.nanoTime();
        return now + Math.max(everyNanos, (now - startNanos) * SHARE);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!threadProblem.isEmpty()) {
            notes.add("migrations are not known: " + threadProblem);
        }
        if (!memoryProblem.isEmpty()) {
            notes.add("remote pages are not known: " + memoryProblem);
        }
        return notes;
    }

    private @Nullable MigrationCount countMigrations() {
        try {
            if (sampler == null) {
                sampler = ThreadSampler.of(pid);
            }
            counter.add(sampler.sample());
            threadProblem = "";
            return counter.count();
        } catch (ObservationException e) {
            threadProblem = oneLine(e);
            return null;
        }
    }

    private MemoryLocality memory(NodeSet home) {
        try {
            MemorySnapshot snapshot = MemorySnapshot.of(pid);
            memoryProblem = "";
            return MemoryLocality.of(snapshot, home.isEmpty() ? NodeSet.full() : home);
        } catch (ObservationException e) {
            memoryProblem = oneLine(e);
            return new MemoryLocality(0, UNKNOWN);
        }
    }

    /** VmRSS of proc_pid_status(5), which costs next to nothing; all of it is on the only node. */
    private MemoryLocality residentMemory() {
        try (var lines = Files.lines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1)) {
            long bytes = lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(UNKNOWN);
            return new MemoryLocality(bytes, bytes);
        } catch (IOException e) {
            memoryProblem = oneLine(e);
            return new MemoryLocality(0, UNKNOWN);
        }
    }

    private static String oneLine(Exception e) {
        return String.valueOf(e.getMessage());
    }

    @Override
    public void close() {
        if (sampler != null) {
            sampler.close();
        }
    }
}
