package org.berth.shuffle.client;

import com.codahale.metrics.MetricSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockPushingListener;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.apache.spark.network.shuffle.MergeFinalizerListener;
import org.apache.spark.network.shuffle.MergedBlocksMetaListener;
import org.apache.spark.network.shuffle.checksum.Cause;
import org.apache.spark.network.util.TransportConf;
import org.berth.shuffle.shared.BlockNumbers;
import org.berth.shuffle.shared.DaemonThreads;
import org.berth.shuffle.shared.Messages;
import org.jspecify.annotations.Nullable;

/** Spark's client for blocks of other executors: shuffle blocks over the transport, all else by Spark's own client. Thread-safe. */
public final class TransportBlockClient extends BlockStoreClient {
    private final BlockStoreClient own;
    private final SparkFetches sparkFetches;
    private final Peers peers;
    private final TransportConf conf;
    private final int blocksOfRequest;
    private final ExecutorService disk = DaemonThreads.pool("berth-shuffle-disk", 1);
    private volatile boolean closed;

    /**
     * A client that is ready.
     *
     * @param own Spark's own client
     * @param messageBytes limits how many blocks a request may name
     */
    public TransportBlockClient(
            BlockStoreClient own, SparkFetches sparkFetches, Peers peers, TransportConf conf, int messageBytes) {
        this.own = own;
        this.sparkFetches = sparkFetches;
        this.peers = peers;
        this.conf = conf;
        this.blocksOfRequest = (messageBytes - Messages.HEADER_BYTES) / BlockNumbers.BYTES;
    }

    @Override
    public void fetchBlocks(
            String host,
            int port,
            String executor,
            String[] blockIds,
            BlockFetchingListener listener,
            @Nullable DownloadFileManager files) {
        List<String> names = List.of(blockIds);
        List<BlockNumbers> blocks = new ArrayList<>(names.size());
        for (String name : names) {
            BlockNumbers block = BlockNumbers.parse(name);
            if (block != null) {
                blocks.add(block);
            }
        }
        SparkFetches.Order order = new SparkFetches.Order(host, port, executor, listener, files);
        if (closed || blocks.size() != names.size()) {
            sparkFetches.fetch(order, names);
            return;
        }
        for (int from = 0; from < names.size(); from += blocksOfRequest) {
            int to = Math.min(names.size(), from + blocksOfRequest);
            Fetch fetch = new Fetch(names.subList(from, to), sink(order), rest -> sparkFetches.retry(order, rest));
            if (!peers.request(executor, fetch, blocks.subList(from, to))) {
                sparkFetches.fetch(order, names.subList(from, names.size()));
                return;
            }
        }
    }

    private BlockSink sink(SparkFetches.Order order) {
        DownloadFileManager files = order.files();
        return files == null
                ? new MemorySink(order.listener())
                : new FileSink(disk, files, conf, order.listener(), name -> sparkFetches.retry(order, List.of(name)));
    }

    @Override
    public Cause diagnoseCorruption(
            String host,
            int port,
            String executor,
            int shuffle,
            long map,
            int reduce,
            long checksum,
            String algorithm) {
        return own.diagnoseCorruption(host, port, executor, shuffle, map, reduce, checksum, algorithm);
    }

    @Override
    public MetricSet shuffleMetrics() {
        return own.shuffleMetrics();
    }

    @Override
    public void setAppAttemptId(String attempt) {
        own.setAppAttemptId(attempt);
    }

    @Override
    public String getAppAttemptId() {
        return own.getAppAttemptId();
    }

    @Override
    public void getHostLocalDirs(
            String host, int port, String[] executors, CompletableFuture<Map<String, String[]>> directories) {
        own.getHostLocalDirs(host, port, executors, directories);
    }

    @Override
    public void pushBlocks(
            String host, int port, String[] blockIds, ManagedBuffer[] buffers, BlockPushingListener listener) {
        own.pushBlocks(host, port, blockIds, buffers, listener);
    }

    @Override
    public void finalizeShuffleMerge(String host, int port, int shuffle, int merge, MergeFinalizerListener listener) {
        own.finalizeShuffleMerge(host, port, shuffle, merge, listener);
    }

    @Override
    public void getMergedBlockMeta(
            String host, int port, int shuffle, int merge, int reduce, MergedBlocksMetaListener listener) {
        own.getMergedBlockMeta(host, port, shuffle, merge, reduce, listener);
    }

    @Override
    public boolean removeShuffleMerge(String host, int port, int shuffle, int merge) {
        return own.removeShuffleMerge(host, port, shuffle, merge);
    }

    /** Leaves Spark's own client open: Spark closes it too. */
    @Override
    public void close() {
        closed = true;
        sparkFetches.close();
        disk.shutdown();
    }
}
