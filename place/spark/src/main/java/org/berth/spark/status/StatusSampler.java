package org.berth.spark.status;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.observation.ObservationException;
import org.berth.observation.ProcessSample;
import org.berth.observation.Reading;
import org.berth.observation.ThreadSampler;
import org.berth.observation.memory.MemoryLocality;
import org.berth.observation.memory.PageSize;
import org.berth.observation.threads.MigrationCount;
import org.berth.observation.threads.MigrationCounter;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's counters for this JVM: migrations of its threads, and memory on other nodes. It samples the threads at most
 * every 1.5 seconds, and for less than one hundredth of a CPU. A whole status including its transport to the driver took
 * 1.6 ms of CPU time in an executor of 55 threads, which is 0.1 % of one CPU. Two files of /proc stay open for each of the
 * first 400 threads. Not thread-safe.
 */
final class StatusSampler implements AutoCloseable {
    private static final long THREADS_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    /** A sample may take one hundredth of the time until the next one. */
    private static final int SPACING = 100;

    private static final long UNKNOWN = ExecutorStatus.UNKNOWN;

    private final long pid = ProcessHandle.current().pid();
    private final MigrationCounter counter;
    private final StatusMemory memory;
    private final OwnCost cost;
    private final Reading<Long> pageBytes = PageSize.bytes();
    private @Nullable ThreadSampler sampler;
    private String problem = "";
    private long migrations = UNKNOWN;
    private long cacheMigrations = UNKNOWN;
    private long nodeMigrations = UNKNOWN;
    private OwnCost.Sum own = OwnCost.Sum.NONE;
    private long nextNanos = System.nanoTime();

    /** The numbers are those of {@link ExecutorStatus.Counters}; a note gives the reason when one is not known. */
    record Sample(
            long migrations,
            long cacheMigrations,
            long nodeMigrations,
            long memoryBytes,
            long remoteBytes,
            long remotePages,
            OwnCost.Sum cost,
            List<String> notes) {}

    StatusSampler(Topology topology, OwnCost cost) {
        this.cost = cost;
        counter = new MigrationCounter(topology);
        memory = new StatusMemory(topology.count(ObjectType.NUMA_NODE) > 1);
    }

    /**
     * Takes the samples that are due, and returns the newest numbers.
     *
     * @param domain the nodes of the executor's domain
     */
    Sample sample(NodeSet domain) {
        if (System.nanoTime() - nextNanos >= 0) {
            long startNanos = System.nanoTime();
            countMigrations();
            long endNanos = System.nanoTime();
            nextNanos = endNanos + Math.max(THREADS_EVERY_NANOS, (endNanos - startNanos) * SPACING);
        }
        MemoryLocality bytes = memory.sample(domain);
        long remoteBytes = bytes.totalBytes() < 0 ? UNKNOWN : bytes.totalBytes() - bytes.nearBytes();
        long remotePages = remoteBytes < 0
                ? UNKNOWN
                : pageBytes.map(page -> remoteBytes / page).orElse(UNKNOWN);
        String unknownSize =
                pageBytes.value().isPresent() ? "" : "the number of remote pages is not known: " + pageBytes.reason();
        List<String> notes = Stream.of(problem, memory.problem(), unknownSize)
                .filter(text -> !text.isEmpty())
                .toList();
        return new Sample(
                migrations, cacheMigrations, nodeMigrations, bytes.totalBytes(), remoteBytes, remotePages, own, notes);
    }

    private void countMigrations() {
        try {
            if (sampler == null) {
                sampler = ThreadSampler.of(pid);
            }
            ProcessSample sample = sampler.sample();
            counter.add(sample);
            own = cost.sum(sample.threads());
            MigrationCount count = counter.count();
            migrations = count.betweenCpus();
            cacheMigrations = count.seenBetweenCaches();
            nodeMigrations = count.seenBetweenNodes();
            problem = "";
        } catch (ObservationException e) {
            problem = "migrations are not known: " + FailureText.of(e);
            migrations = UNKNOWN;
            cacheMigrations = UNKNOWN;
            nodeMigrations = UNKNOWN;
            own = OwnCost.Sum.NONE;
        }
    }

    @Override
    public void close() {
        if (sampler != null) {
            sampler.close();
        }
    }
}
