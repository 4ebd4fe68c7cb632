package org.berth.shuffle;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.util.ShutdownHookManager;
import org.berth.shuffle.client.Peers;
import org.berth.shuffle.client.SparkFetches;
import org.berth.shuffle.client.TransportBlockClient;
import org.berth.shuffle.server.BlockServer;
import org.berth.shuffle.shared.Counts;
import org.berth.shuffle.shared.DaemonThreads;
import org.berth.shuffle.shared.Messages;
import org.berth.shuffle.shared.ShuffleSettings;
import org.berth.transport.Listener;
import org.berth.transport.Transport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;
import scala.runtime.BoxedUnit;

/** The shuffle transport of one executor: engine, server and client. Thread-safe. */
final class ShuffleEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShuffleEngine.class);
    private static final long WATCH_SECONDS = 1;
    /** Before Spark deletes its folders. */
    private static final int SUMMARY_PRIORITY = 60;

    private final String executor;
    private final Transport transport;
    private final BlockServer server;
    private final Counts counts;
    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.factory("berth-shuffle-watch"));
    private volatile @Nullable TransportBlockClient client;
    private final AtomicBoolean summarized = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    private ShuffleEngine(String executor, Transport transport, BlockServer server, Counts counts) {
        this.executor = executor;
        this.transport = transport;
        this.server = server;
        this.counts = counts;
    }

    /**
     * Listens, registers with the driver, and takes the place of Spark's client.
     *
     * @throws IOException when any of it fails; Spark's client is in its place then
     * @throws IllegalArgumentException when a setting is wrong
     */
    static ShuffleEngine start(SparkConf conf, SparkEnv env) throws IOException {
        ShuffleSettings settings = ShuffleSettings.read(conf);
        Addresses addresses = Addresses.of(conf, env.rpcEnv());
        Counts counts = new Counts();
        BlockManager manager = env.blockManager();
        Transport transport = Transport.open(settings.transport());
        BlockServer server = new BlockServer(
                conf.getAppId(),
                env.executorId(),
                block -> manager.getLocalBlockData(block.blockId()),
                settings,
                counts);
        ShuffleEngine engine = new ShuffleEngine(env.executorId(), transport, server, counts);
        try {
            // The address of Spark's own port, so that no other network can connect.
            String host = manager.blockManagerId().host();
            Listener listener = transport.listen(host + ":" + settings.port(), server);
            String address = host + ":" + listener.port();
            String secret = addresses.register(env.executorId(), address);
            server.open(secret);
            Peers peers = engine.peers(conf, addresses, secret, settings);
            TransportBlockClient client = new TransportBlockClient(
                    manager.blockStoreClient(),
                    new SparkFetches(manager.blockStoreClient(), counts),
                    peers,
                    new TransportConf("shuffle", new MapConfigProvider(values(conf))),
                    settings.messageBytes());
            engine.report(env, peers);
            engine.client = client;
            ClientExchange.exchange(manager, client);
            LOG.info(
                    "Berth: executor {} serves shuffle blocks at {} ({})",
                    env.executorId(),
                    address,
                    settings.describe());
            return engine;
        } catch (IOException | RuntimeException e) {
            engine.end();
            throw e;
        }
    }

    private Peers peers(SparkConf conf, Addresses addresses, String secret, ShuffleSettings settings) {
        Messages.Introduction own = new Messages.Introduction(conf.getAppId(), secret, "", executor);
        Peers peers = new Peers(transport, addresses, own, settings, counts);
        var unused = watch.scheduleWithFixedDelay(
                () -> closeSilent(peers, settings), WATCH_SECONDS, WATCH_SECONDS, TimeUnit.SECONDS);
        return peers;
    }

    /** The watch drops what throws, and a fetch from a silent peer would then wait for good. */
    private static void closeSilent(Peers peers, ShuffleSettings settings) {
        try {
            peers.closeSilent(settings.timeout());
        } catch (Throwable e) {
            LOG.warn("Berth: the check for silent peers failed and will be repeated", e);
        }
    }

    private void report(SparkEnv env, Peers peers) {
        counts.gauge("leasedBuffers", () -> transport.statistics().leasedBuffers());
        counts.gauge("heldBytes", peers::heldBytes);
        env.metricsSystem().registerSource(counts);
        // Most executors end by a signal, and Spark stops nothing then.
        ShutdownHookManager.addShutdownHook(SUMMARY_PRIORITY, () -> {
            summarize();
            return BoxedUnit.UNIT;
        });
    }

    private static Map<String, String> values(SparkConf conf) {
        Map<String, String> values = new HashMap<>();
        for (Tuple2<String, String> pair : conf.getAll()) {
            values.put(pair._1(), pair._2());
        }
        return values;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            summarize();
            end();
        }
    }

    private void summarize() {
        if (summarized.compareAndSet(false, true)) {
            LOG.info("Berth: executor {} has {}", executor, counts);
        }
    }

    private void end() {
        watch.shutdownNow();
        transport.close();
        server.close();
        TransportBlockClient last = client;
        if (last != null) {
            // After the transport, which leaves requests under way to Spark's client.
            last.close();
        }
    }
}
