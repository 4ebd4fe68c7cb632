package org.berth.shuffle.client;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.berth.shuffle.shared.Counts;
import org.berth.shuffle.shared.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * Fetches by Spark's own client, which retries, asks the driver whether the executor lives, and gives the task the failure
 * that makes Spark run a stage again. Thread-safe.
 */
public final class SparkFetches implements AutoCloseable {
    /** Connecting may block each for some seconds. */
    private static final int THREADS = 4;

    private final BlockStoreClient client;
    private final Counts counts;
    private final ExecutorService threads = DaemonThreads.pool("berth-shuffle-spark", THREADS);

    public SparkFetches(BlockStoreClient client, Counts counts) {
        this.client = client;
        this.counts = counts;
    }

    /**
     * What Spark asked for.
     *
     * @param files where blocks are to go; null for memory
     */
    record Order(
            String host,
            int port,
            String executor,
            BlockFetchingListener listener,
            @Nullable DownloadFileManager files) {}

    /** Fetches on the calling thread, which may block while it connects. */
    void fetch(Order order, List<String> blocks) {
        counts.sparkBlocks.add(blocks.size());
        // Spark takes null for "no files", and has no annotation for it.
        @SuppressWarnings("NullAway")
        DownloadFileManager files = order.files();
        client.fetchBlocks(
                order.host(), order.port(), order.executor(), blocks.toArray(String[]::new), order.listener(), files);
    }

    /** Fetches what the transport did not bring, on another thread. */
    void retry(Order order, List<String> blocks) {
        if (blocks.isEmpty()) {
            return;
        }
        counts.retriedBlocks.add(blocks.size());
        try {
            threads.execute(() -> {
                try {
                    fetch(order, blocks);
                } catch (RuntimeException e) {
                    fail(order, blocks, e);
                }
            });
        } catch (RejectedExecutionException executorEnds) {
            fail(order, blocks, executorEnds);
        }
    }

    private static void fail(Order order, List<String> blocks, RuntimeException cause) {
        IOException failure = new IOException("cannot fetch from executor " + order.executor() + ": " + cause, cause);
        blocks.forEach(block -> order.listener().onBlockFetchFailure(block, failure));
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
