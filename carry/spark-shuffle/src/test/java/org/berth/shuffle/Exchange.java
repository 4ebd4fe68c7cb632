package org.berth.shuffle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.SparkConf;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;
import org.berth.shuffle.client.Peers;
import org.berth.shuffle.client.SparkFetches;
import org.berth.shuffle.client.TransportBlockClient;
import org.berth.shuffle.server.BlockServer;
import org.berth.shuffle.shared.BlockNumbers;
import org.berth.shuffle.shared.Counts;
import org.berth.shuffle.shared.Messages;
import org.berth.shuffle.shared.ShuffleSettings;
import org.berth.transport.Listener;
import org.berth.transport.Transport;
import org.jspecify.annotations.Nullable;

/** Server and client in one JVM, each with an engine of its own, over real sockets and files. */
final class Exchange implements AutoCloseable {
    static final TransportConf CONF = new TransportConf("shuffle", new MapConfigProvider(Map.of()));
    static final String SECRET = "secret";

    private final Path folder;
    private final Map<BlockNumbers, FileSegmentManagedBuffer> blocks = new ConcurrentHashMap<>();
    final ShuffleSettings settings;
    final Counts counts = new Counts();
    final Transport serving;
    final Transport fetching;
    final BlockServer server;
    final String address;
    final Peers peers;
    final OwnClient own = new OwnClient();
    final TransportBlockClient client;

    Exchange(Path folder, Map<String, String> keys) throws IOException {
        this.folder = folder;
        SparkConf conf = new SparkConf(false).set("spark.berth.shuffle.localDirectory", folder + "/sockets");
        keys.forEach((key, value) -> conf.set("spark.berth.shuffle." + key, value));
        this.settings = ShuffleSettings.read(conf);
        this.serving = Transport.open(settings.transport());
        this.fetching = Transport.open(settings.transport());
        this.server = new BlockServer("application", "1", this::open, settings, new Counts());
        server.open(SECRET);
        Listener listener = serving.listen("localhost:0", server);
        this.address = "localhost:" + listener.port();
        this.peers = new Peers(
                fetching,
                executor -> executor.equals("unknown") ? null : address,
                new Messages.Introduction("application", SECRET, "", "2"),
                settings,
                counts);
        this.client =
                new TransportBlockClient(own, new SparkFetches(own, counts), peers, CONF, settings.messageBytes());
    }

    private ManagedBuffer open(BlockNumbers block) throws IOException {
        FileSegmentManagedBuffer found = blocks.get(block);
        if (found == null) {
            throw new IOException("no block " + block);
        }
        return found;
    }

    /** Writes the blocks of a map into one file, as Spark does; returns their names. */
    List<String> write(int map, List<byte[]> contents) throws IOException {
        Path file = folder.resolve("map-" + map);
        List<String> names = new ArrayList<>();
        long offset = 0;
        try (var to = Files.newOutputStream(file)) {
            for (byte[] bytes : contents) {
                BlockNumbers block = new BlockNumbers(0, map, names.size(), -1);
                to.write(bytes);
                blocks.put(block, new FileSegmentManagedBuffer(CONF, file.toFile(), offset, bytes.length));
                offset += bytes.length;
                names.add(block.blockId().name());
            }
        }
        return names;
    }

    void forget(String name) {
        blocks.remove(BlockNumbers.parse(name));
    }

    Received fetch(String executor, List<String> names, @Nullable DownloadFileManager files) {
        return fetch(executor, names, files, new Received());
    }

    Received fetch(String executor, List<String> names, @Nullable DownloadFileManager files, Received received) {
        client.fetchBlocks("localhost", 1, executor, names.toArray(String[]::new), received, files);
        return received;
    }

    int leasedBuffers() {
        return serving.statistics().leasedBuffers() + fetching.statistics().leasedBuffers();
    }

    @Override
    public void close() throws IOException {
        client.close();
        fetching.close();
        serving.close();
        server.close();
    }

    /** Keeps blocks as Spark does: unread, until the test reads them. */
    static class Received implements BlockFetchingListener {
        final Map<String, ManagedBuffer> blocks = new ConcurrentHashMap<>();
        final Map<String, Throwable> failures = new ConcurrentHashMap<>();

        @Override
        public void onBlockFetchSuccess(String name, ManagedBuffer block) {
            blocks.put(name, block.retain());
        }

        @Override
        public void onBlockFetchFailure(String name, Throwable cause) {
            failures.put(name, cause);
        }

        ManagedBuffer block(String name) {
            return Objects.requireNonNull(blocks.get(name), name);
        }

        byte[] readAndRelease(String name) throws IOException {
            ManagedBuffer block = block(name);
            try (var in = block.createInputStream()) {
                return in.readAllBytes();
            } finally {
                block.release();
            }
        }
    }

    /** Takes some blocks and no more until it may go on, so that the rest does not arrive, however fast the sockets are. */
    static final class Hesitant extends Received {
        private final int taken;
        private final CompletableFuture<@Nullable Void> goOn = new CompletableFuture<>();

        Hesitant(int taken) {
            this.taken = taken;
        }

        void goOn() {
            goOn.complete(null);
        }

        @Override
        public void onBlockFetchSuccess(String name, ManagedBuffer block) {
            super.onBlockFetchSuccess(name, block);
            if (blocks.size() >= taken) {
                goOn.join();
            }
        }
    }

    /** What stands for Spark's own client: fails each block, and remembers that it was asked. */
    static final class OwnClient extends BlockStoreClient {
        final List<String> asked = new CopyOnWriteArrayList<>();

        @Override
        public void fetchBlocks(
                String host,
                int port,
                String executor,
                String[] names,
                BlockFetchingListener listener,
                DownloadFileManager files) {
            for (String name : names) {
                asked.add(name);
                listener.onBlockFetchFailure(name, new IOException("asked of Spark"));
            }
        }

        @Override
        public void close() {
            // It has nothing open.
        }
    }
}
