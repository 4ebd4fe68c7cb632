package org.berth.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.DownloadFile;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.apache.spark.network.shuffle.SimpleDownloadFile;
import org.apache.spark.network.util.TransportConf;
import org.berth.oracle.Await;
import org.berth.shuffle.client.Fetch;
import org.berth.shuffle.client.HeldMemory;
import org.berth.shuffle.client.MemorySink;
import org.berth.shuffle.client.PeerLink;
import org.berth.shuffle.client.Peers;
import org.berth.shuffle.shared.BlockNumbers;
import org.berth.shuffle.shared.Messages;
import org.berth.transport.Connection;
import org.berth.transport.Receiver;
import org.berth.transport.Transport;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Blocks over real sockets, compared with the bytes that were written. */
@Timeout(120)
class ExchangeTest {
    private static final int MESSAGE = 64 << 10;
    private static final Map<String, String> SMALL =
            Map.of("chunk", "64k", "receivePool", "1m", "sendPool", "1m", "window", "64k");

    @TempDir
    Path folder;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    private byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Sizes around those where the way of a block changes. */
    private List<byte[]> differentBlocks() {
        List<byte[]> all = new ArrayList<>();
        for (int middle : new int[] {1, 8 << 10, MESSAGE / 2, MESSAGE, 2 * MESSAGE, 5 * MESSAGE}) {
            for (int more = -60; more <= 60; more += 4) {
                all.add(bytes(Math.max(0, middle + more)));
            }
        }
        for (int i = 0; i < 500; i++) {
            all.add(bytes(random.nextInt(100)));
        }
        Collections.shuffle(all, random);
        return all;
    }

    @Test
    void blocksOfAllSizesArriveInMemory() throws Exception {
        List<byte[]> contents = differentBlocks();
        try (Exchange exchange = new Exchange(folder, SMALL)) {
            List<String> names = exchange.write(1, contents);
            Exchange.Received received = exchange.fetch("1", names, null);
            Await.until("all blocks, seed " + seed, () -> received.blocks.size() == names.size());
            for (int i = 0; i < names.size(); i++) {
                assertThat(received.block(names.get(i)).size()).isEqualTo(contents.get(i).length);
                assertThat(received.block(names.get(i)).nioByteBuffer()).isEqualTo(ByteBuffer.wrap(contents.get(i)));
                assertThat(received.readAndRelease(names.get(i)))
                        .as("block %s, seed %s", i, seed)
                        .isEqualTo(contents.get(i));
            }
            assertThat(exchange.own.asked).isEmpty();
            assertThat(exchange.counts.receivedBlocks.sum()).isEqualTo(names.size());
            // More than the pool has: some must have been copied, and none stays in it.
            assertThat(exchange.counts.copiedBytes.sum()).isPositive();
            Await.until("all buffers", () -> exchange.leasedBuffers() == 0);
            assertThat(exchange.peers.heldBytes()).isZero();
        }
    }

    @Test
    void blocksGoToFiles() throws Exception {
        List<byte[]> contents = differentBlocks();
        try (Exchange exchange = new Exchange(folder, SMALL)) {
            List<String> names = exchange.write(1, contents);
            TemporaryFiles files = new TemporaryFiles(true);
            Exchange.Received received = exchange.fetch("1", names, files);
            Await.until("all blocks, seed " + seed, () -> received.blocks.size() == names.size());
            for (int i = 0; i < names.size(); i++) {
                assertThat(received.block(names.get(i))).isInstanceOf(FileSegmentManagedBuffer.class);
                assertThat(received.readAndRelease(names.get(i)))
                        .as("block %s, seed %s", i, seed)
                        .isEqualTo(contents.get(i));
            }
            Await.until("all buffers", () -> exchange.leasedBuffers() == 0);
            assertThat(files.made).hasSize(names.size()).allMatch(Files::exists);
        }
    }

    @Test
    void filesOfTasksThatHaveEndedAreDeleted() throws Exception {
        try (Exchange exchange = new Exchange(folder, SMALL)) {
            List<String> names = exchange.write(1, List.of(bytes(3 * MESSAGE)));
            TemporaryFiles files = new TemporaryFiles(false);
            exchange.fetch("1", names, files);
            Await.until(
                    "the file is written and deleted",
                    () -> files.made.size() == 1 && !Files.exists(files.made.get(0)) && exchange.leasedBuffers() == 0);
        }
    }

    @Test
    void blocksThatAreNotThereAreAskedOfSpark() throws Exception {
        try (Exchange exchange = new Exchange(folder, SMALL)) {
            List<String> names = exchange.write(1, List.of(bytes(10), bytes(MESSAGE), bytes(10), bytes(10)));
            exchange.forget(names.get(2));
            Exchange.Received received = exchange.fetch("1", names, null);
            Await.until("two and two", () -> received.blocks.size() + received.failures.size() == 4);
            assertThat(received.blocks).containsOnlyKeys(names.get(0), names.get(1));
            assertThat(exchange.own.asked).isEqualTo(names.subList(2, 4));
            // The connection goes on.
            exchange.own.asked.clear();
            Exchange.Received next = exchange.fetch("1", names.subList(0, 2), null);
            Await.until("two again", () -> next.blocks.size() == 2);
            assertThat(exchange.own.asked).isEmpty();
        }
    }

    @Test
    void fileThatIsTooShortIsAskedOfSpark() throws Exception {
        try (Exchange exchange = new Exchange(folder, SMALL)) {
            List<String> names = exchange.write(1, List.of(bytes(5 * MESSAGE)));
            try (var file = FileChannel.open(folder.resolve("map-1"), StandardOpenOption.WRITE)) {
                file.truncate(4L * MESSAGE);
            }
            Exchange.Received received = exchange.fetch("1", names, null);
            Await.until("a failure", () -> received.failures.size() == 1);
            assertThat(exchange.own.asked).isEqualTo(names);
            Await.until("all buffers", () -> exchange.leasedBuffers() == 0);
        }
    }

    @Test
    void blocksOfAServerThatEndsAreAskedOfSpark() throws Exception {
        try (Exchange exchange = new Exchange(folder, SMALL)) {
            List<String> names = exchange.write(
                    1, IntStream.range(0, 200).mapToObj(i -> bytes(MESSAGE)).toList());
            Exchange.Hesitant received = new Exchange.Hesitant(3);
            exchange.fetch("1", names, null, received);
            Await.until("some", () -> received.blocks.size() == 3);
            exchange.serving.close();
            received.goOn();
            Await.until("an end for each", () -> received.blocks.size() + received.failures.size() == 200);
            assertThat(received.failures).isNotEmpty();
            assertThat(received.blocks.keySet()).doesNotContainAnyElementsOf(received.failures.keySet());
            assertThat(exchange.own.asked).containsExactlyInAnyOrderElementsOf(received.failures.keySet());
            received.blocks.values().forEach(ManagedBuffer::release);
            assertThat(exchange.fetching.statistics().leasedBuffers()).isZero();
        }
    }

    @Test
    void executorsThatCannotBeReachedAreLeftToSpark() throws Exception {
        try (Exchange exchange = new Exchange(folder, SMALL)) {
            List<String> names = exchange.write(1, List.of(bytes(10)));
            assertThat(exchange.fetch("unknown", names, null).failures).containsOnlyKeys(names);
            // Another executor listens there, as after a restart.
            assertThat(exchange.fetch("7", names, null).failures).containsOnlyKeys(names);
            assertThat(exchange.counts.sparkBlocks.sum()).isEqualTo(2);
            assertThat(exchange.fetching.statistics().leasedBuffers()).isZero();
        }
    }

    @Test
    void otherBlocksAreSparks() throws Exception {
        try (Exchange exchange = new Exchange(folder, SMALL)) {
            List<String> names = List.of("rdd_1_2", "broadcast_3_piece0", "shuffle_1_2_3.data", "shuffleChunk_1_2_3_4");
            names.forEach(name -> exchange.fetch("1", List.of(name), null));
            assertThat(exchange.own.asked).isEqualTo(names);
        }
    }

    @Test
    void silentServerIsGivenUp() throws Exception {
        try (Exchange exchange = new Exchange(folder, SMALL)) {
            exchange.serving.close();
            var silent = Transport.open(exchange.settings.transport());
            try (silent) {
                var listener = silent.listen("localhost:0", (connection, introduction) -> new Receiver() {
                    @Override
                    public void received(Connection from, MessageBuffer message) {
                        message.release();
                    }

                    @Override
                    public void closed(Connection gone, @Nullable TransportException cause) {
                        // Nothing waits for it.
                    }
                });
                Peers peers = new Peers(
                        exchange.fetching,
                        executor -> "localhost:" + listener.port(),
                        new Messages.Introduction("application", Exchange.SECRET, "", "2"),
                        exchange.settings,
                        exchange.counts);
                List<String> retried = Collections.synchronizedList(new ArrayList<>());
                Exchange.Received received = new Exchange.Received();
                Fetch fetch = new Fetch(List.of("shuffle_0_1_2"), new MemorySink(received), retried::addAll);
                assertThat(peers.request("1", fetch, List.of(new BlockNumbers(0, 1, 2, -1))))
                        .isTrue();
                peers.closeSilent(Duration.ofDays(1));
                assertThat(retried).isEmpty();
                peers.closeSilent(Duration.ZERO);
                Await.until("the request is given up", () -> retried.equals(List.of("shuffle_0_1_2")));
            }
        }
    }

    @Test
    void strangersAreRefused() throws Exception {
        try (Exchange exchange = new Exchange(folder, SMALL)) {
            assertRefused(exchange, new Messages.Introduction("application", "guess", "1", "2"), "does not belong");
            assertRefused(exchange, new Messages.Introduction("other", Exchange.SECRET, "1", "2"), "does not belong");
            assertRefused(
                    exchange, new Messages.Introduction("application", Exchange.SECRET, "3", "2"), "wants executor 3");
        }
    }

    private static void assertRefused(Exchange exchange, Messages.Introduction introduction, String reason) {
        PeerLink link = new PeerLink("a peer", new HeldMemory(0), exchange.counts);
        assertThatThrownBy(() -> exchange.fetching.connect(
                        exchange.address, ByteBuffer.wrap(introduction.bytes()), link, TimeUnit.SECONDS.toNanos(60)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void releasedBlockIsNotRead() throws Exception {
        try (Exchange exchange = new Exchange(folder, SMALL)) {
            List<String> names = exchange.write(1, List.of(bytes(MESSAGE)));
            Exchange.Received received = exchange.fetch("1", names, null);
            Await.until("the block", () -> received.blocks.size() == 1);
            ManagedBuffer block = received.block(names.get(0));
            InputStream in = block.createInputStream();
            assertThat(in.read()).isNotNegative();
            block.release();
            assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessageContaining("was released");
            assertThatThrownBy(block::createInputStream).isInstanceOf(IOException.class);
        }
    }

    /** Temporary files of a task that runs, or has ended. */
    private final class TemporaryFiles implements DownloadFileManager {
        final List<Path> made = Collections.synchronizedList(new ArrayList<>());
        private final boolean taskRuns;

        TemporaryFiles(boolean taskRuns) {
            this.taskRuns = taskRuns;
        }

        @Override
        public DownloadFile createTempFile(TransportConf conf) {
            Path file = folder.resolve("download-" + made.size());
            made.add(file);
            return new SimpleDownloadFile(file.toFile(), conf);
        }

        @Override
        public boolean registerTempFileToClean(DownloadFile file) {
            return taskRuns;
        }
    }
}
