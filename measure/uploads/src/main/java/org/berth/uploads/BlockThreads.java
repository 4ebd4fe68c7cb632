package org.berth.uploads;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.berth.observation.ObservationException;
import org.berth.observation.ThreadSampler;
import org.berth.observation.internal.threads.ThreadNamePattern;
import org.berth.observation.threads.MigrationCounter;
import org.berth.observation.threads.ThreadMigrations;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * How often the kernel moves the threads of DataNodes that work on blocks: its own count ({@code nr_migrations}), read ten
 * times a second, so the last moments of a thread are missed.
 */
final class BlockThreads implements AutoCloseable {
    private static final long INTERVAL_MILLIS = 100;
    private static final List<ThreadNamePattern> NAMES =
            List.of(ThreadNamePattern.of("DataXceiver for *"), ThreadNamePattern.of("PacketResponder*"));

    private final Map<ThreadSampler, MigrationCounter> dataNodes = new LinkedHashMap<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread looker = new Thread(this::look, "block-threads");
    private volatile @Nullable ObservationException failure;

    private BlockThreads() {}

    static BlockThreads watch(List<ProcessHandle> dataNodes, Topology topology) {
        BlockThreads threads = new BlockThreads();
        dataNodes.forEach(one -> threads.dataNodes.put(ThreadSampler.of(one.pid()), new MigrationCounter(topology)));
        threads.sample();
        threads.looker.setDaemon(true);
        threads.looker.start();
        return threads;
    }

    private void look() {
        try {
            while (!end.await(INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
                sample();
            }
        } catch (ObservationException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sample() {
        dataNodes.forEach((sampler, counter) -> counter.add(sampler.sample()));
    }

    /** Moves since the beginning; empty, with a line on standard error, when they could not be seen. */
    OptionalLong stop() throws InterruptedException {
        end.countDown();
        looker.join();
        ObservationException reason = failure;
        if (reason == null) {
            try {
                sample();
            } catch (ObservationException e) {
                reason = e;
            }
        }
        if (reason != null) {
            System.err.println("berth: migrations are not known: " + reason.getMessage());
            return OptionalLong.empty();
        }
        return OptionalLong.of(dataNodes.values().stream()
                .flatMap(counter -> counter.threads().stream())
                .filter(BlockThreads::worksOnBlocks)
                .mapToLong(thread -> thread.count().betweenCpus())
                .sum());
    }

    private static boolean worksOnBlocks(ThreadMigrations thread) {
        return NAMES.stream().anyMatch(name -> name.mayMatch(thread.name()));
    }

    @Override
    public void close() {
        end.countDown();
        try {
            looker.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        dataNodes.keySet().forEach(ThreadSampler::close);
    }
}
