package org.berth.spark.status;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.berth.binding.Reason;
import org.berth.observation.MemoryLocality;
import org.berth.observation.MigrationCount;
import org.berth.observation.MigrationCounter;
import org.berth.observation.ObservationException;
import org.berth.observation.ThreadSampler;
import org.berth.topology.NodeSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel says of this JVM: moves of its threads, and memory on other nodes. Looks at the threads no oftener than
 * every one and a half seconds, and for less than one hundredth of a CPU. A whole status with its way to the driver took
 * 1.6 ms of CPU time in an executor of 55 threads, which is 0.1 % of one CPU. Two files of /proc
 * stay open for each of the first 400 threads. Not thread-safe.
 */
final class StatusObserver implements AutoCloseable {
    private static final long THREADS_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    private static final int SHARE = 100;
    private static final long UNKNOWN = ExecutorStatus.UNKNOWN;

    private final long pid = ProcessHandle.current().pid();
    private final MigrationCounter counter;
    private final StatusMemory memory;
    private final OptionalLong pageBytes = StatusPages.sizeBytes();
    private @Nullable ThreadSampler sampler;
    private String problem = "";
    private long migrations = UNKNOWN;
    private long nodeMigrations = UNKNOWN;
    private long nextNanos = System.nanoTime();

    /** The numbers are those of {@link ExecutorStatus.Counters}; the notes say why one of them is not known. */
    record Seen(
            long migrations,
            long nodeMigrations,
            long memoryBytes,
            long remoteBytes,
            long remotePages,
            List<String> notes) {}

    StatusObserver(Topology topology) {
        counter = new MigrationCounter(topology);
        memory = new StatusMemory(topology.count(ObjectType.NUMA_NODE) > 1);
    }

    /**
     * Looks where it is time to, and gives the newest numbers.
     *
     * @param home the nodes of the executor's domain
     */
    Seen look(NodeSet home) {
        if (System.nanoTime() - nextNanos >= 0) {
            long startNanos = System.nanoTime();
            countMigrations();
            long endNanos = System.nanoTime();
            nextNanos = endNanos + Math.max(THREADS_EVERY_NANOS, (endNanos - startNanos) * SHARE);
        }
        MemoryLocality bytes = memory.look(home);
        long remoteBytes = bytes.totalBytes() < 0 ? UNKNOWN : bytes.totalBytes() - bytes.nearBytes();
        long remotePages = remoteBytes < 0 || pageBytes.isEmpty() ? UNKNOWN : remoteBytes / pageBytes.getAsLong();
        List<String> notes = Stream.of(problem, memory.problem())
                .filter(text -> !text.isEmpty())
                .toList();
        return new Seen(migrations, nodeMigrations, bytes.totalBytes(), remoteBytes, remotePages, notes);
    }

    private void countMigrations() {
        try {
            if (sampler == null) {
                sampler = ThreadSampler.of(pid);
            }
            counter.add(sampler.sample());
            MigrationCount count = counter.count();
            migrations = count.betweenCpus();
            nodeMigrations = count.seenBetweenNodes();
            problem = "";
        } catch (ObservationException e) {
            problem = "migrations are not known: " + Reason.of(e);
            migrations = UNKNOWN;
            nodeMigrations = UNKNOWN;
        }
    }

    @Override
    public void close() {
        if (sampler != null) {
            sampler.close();
        }
    }
}
