package org.berth.mapreduce.embedded.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.BerthDfsClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.io.ElasticByteBufferPool;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.berth.mapreduce.embedded.SharedHdfs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a task sees of cached files of HDFS, one call at a time, next to what a client without the cache reads. */
@Tag("one-jdk")
@Tag("cluster")
@ExtendWith(SharedHdfs.class)
class CachedHdfsTest {
    private static final int HDFS_BLOCK = SharedHdfs.BLOCK_BYTES;
    private static final long BOUND = 64L << 20;

    private final Map<FileCounter, Long> counts = new EnumMap<>(FileCounter.class);
    private DistributedFileSystem fs;
    private DistributedFileSystem other;
    private JobFiles job;

    @BeforeEach
    void cache() throws IOException {
        BlockCache.ofJvm().limit(BOUND);
        fs = SharedHdfs.connect();
        other = SharedHdfs.connect();
        assertThat(BerthDfsClient.install(fs)).isTrue();
        job = new JobFiles(BlockCache.ofJvm(), PathGlobs.NONE, List.of("/own/"), List.of());
    }

    @AfterEach
    void empty() throws IOException {
        for (FileStatus file : other.listStatus(path("/"))) {
            fs.delete(file.getPath(), true);
        }
        BlockCache.ofJvm().limit(0);
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
        fs.close();
        other.close();
    }

    private static org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path(name);
    }

    private FileScope task() {
        counts.clear();
        return job.enter((counter, number) -> counts.merge(counter, number, Long::sum));
    }

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void create(FileSystem by, String name, byte[] content) throws IOException {
        try (FSDataOutputStream out = by.create(path(name), true)) {
            out.write(content);
        }
    }

    private void write(String name, byte[] content) throws IOException {
        FileScope task = task();
        try (task) {
            create(fs, name, content);
        }
    }

    private static byte[] bytes(FileSystem by, String name) throws IOException {
        try (FSDataInputStream in = by.open(path(name))) {
            return in.readAllBytes();
        }
    }

    private byte[] read(String name) throws IOException {
        FileScope task = task();
        try (task) {
            return bytes(fs, name);
        }
    }

    private static long pieces(int length) {
        long result = 0;
        for (int left = length; left > 0; left -= HDFS_BLOCK) {
            result += (Math.min(left, HDFS_BLOCK) + BlockCache.BLOCK_BYTES - 1L) / BlockCache.BLOCK_BYTES;
        }
        return result;
    }

    private void assertHit(String name, byte[] content) throws IOException {
        assertThat(read(name)).isEqualTo(content);
        assertThat(counts)
                .containsOnly(
                        Map.entry(FileCounter.CACHE_HITS, pieces(content.length)),
                        Map.entry(FileCounter.CACHE_HIT_BYTES, (long) content.length));
    }

    private void assertMiss(String name, byte[] content) throws IOException {
        assertThat(read(name)).isEqualTo(content);
        assertThat(counts)
                .containsOnly(
                        Map.entry(FileCounter.CACHE_MISSES, pieces(content.length)),
                        Map.entry(FileCounter.CACHE_MISS_BYTES, (long) content.length));
    }

    @Test
    void writtenAndReadFilesComeFromMemory() throws Exception {
        byte[] content = bytes(2 * HDFS_BLOCK + 300_000, 1);
        write("/written", content);
        assertThat(BlockCache.ofJvm().usedBytes()).isEqualTo(content.length);
        assertHit("/written", content);
        assertThat(bytes(other, "/written")).isEqualTo(content);
        create(other, "/foreign", content);
        assertMiss("/foreign", content);
        assertHit("/foreign", content);
        assertThat(bytes(fs, "/foreign")).as("outside of tasks").isEqualTo(content);

        write("/own/file", content);
        assertThat(read("/own/file")).isEqualTo(content);
        assertThat(counts).isEmpty();

        // No DataNode is asked for what is in memory.
        fs.rename(path("/foreign"), path("/renamed"));
        fs.rename(path("/written"), path("/renamed"), Options.Rename.OVERWRITE);
        assertThat(BlockCache.ofJvm().usedBytes()).isEqualTo(content.length);
        assertHit("/renamed", content);
        fs.delete(path("/renamed"), false);
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
        assertThatThrownBy(() -> read("/renamed")).isInstanceOf(java.io.FileNotFoundException.class);
    }

    @Test
    void blocksThatLeftAreReadAgainInTheMiddleOfAFile() throws Exception {
        byte[] content = bytes(HDFS_BLOCK + 400_000, 2);
        write("/file", content);
        BlockCache.ofJvm().limit(content.length - 1);
        BlockCache.ofJvm().limit(BOUND);
        assertThat(read("/file")).isEqualTo(content);
        assertThat(counts)
                .containsEntry(FileCounter.CACHE_MISSES, 1L)
                .containsEntry(FileCounter.CACHE_HITS, pieces(content.length) - 1)
                .containsEntry(FileCounter.CACHE_MISS_BYTES, (long) BlockCache.BLOCK_BYTES);
        BlockCache.ofJvm().limit(content.length - 1);
        BlockCache.ofJvm().limit(BOUND);
        byte[] part = new byte[500];
        FileScope task = task();
        try (task;
                FSDataInputStream in = fs.open(path("/file"))) {
            for (int from : new int[] {content.length - 500, HDFS_BLOCK - 200, 100, BlockCache.BLOCK_BYTES - 1}) {
                in.readFully(from, part);
                assertThat(part).isEqualTo(Arrays.copyOfRange(content, from, from + 500));
            }
        }
        assertHit("/file", content);
        BlockCache.ofJvm().limit(content.length - 1);
        assertThat(read("/file")).as("larger than the bound").isEqualTo(content);
        assertThat(counts).isEmpty();
    }

    @Test
    void blockInMemoryBetweenTwoThatAreNot() throws Exception {
        byte[] content = bytes(700_000, 7);
        write("/file", content);
        FileScope task = task();
        try (task;
                FSDataInputStream in = fs.open(path("/file"))) {
            in.readFully(BlockCache.BLOCK_BYTES, new byte[10]);
        }
        BlockCache.ofJvm().limit(BlockCache.BLOCK_BYTES);
        BlockCache.ofJvm().limit(BOUND);
        assertThat(read("/file")).isEqualTo(content);
        assertThat(counts).containsEntry(FileCounter.CACHE_HITS, 1L).containsEntry(FileCounter.CACHE_MISSES, 2L);
    }

    @Test
    void streamsAreHadoopsOwn() throws Exception {
        byte[] content = bytes(HDFS_BLOCK + 5000, 3);
        long readBefore = FileSystem.getGlobalStorageStatistics().get("hdfs").getLong("bytesRead");
        FileScope task = task();
        try (task) {
            HdfsDataOutputStream out = (HdfsDataOutputStream) fs.create(path("/file"));
            out.writeInt(1);
            out.write(content, 0, 1000);
            assertThat(out.getPos()).isEqualTo(1004);
            out.hsync(EnumSet.of(HdfsDataOutputStream.SyncFlag.UPDATE_LENGTH));
            assertThat(out.getCurrentBlockReplication()).isEqualTo(1);
            assertThat(out.hasCapability("hflush")).isTrue();
            out.write(content, 1000, content.length - 1000);
            out.close();
            out.close();
            HdfsDataInputStream in = (HdfsDataInputStream) fs.open(path("/file"));
            assertThat(in.getVisibleLength()).isEqualTo(content.length + 4);
            assertThat(in.getAllBlocks()).hasSize(2);
            assertThat(in.readInt()).isEqualTo(1);
            in.seek(HDFS_BLOCK + 2000);
            ByteBuffer direct = ByteBuffer.allocateDirect(100);
            while (direct.hasRemaining()) {
                assertThat(in.read(direct)).isPositive();
            }
            byte[] found = new byte[100];
            direct.flip().get(found);
            assertThat(found).isEqualTo(Arrays.copyOfRange(content, HDFS_BLOCK + 1996, HDFS_BLOCK + 2096));
            in.seek(4);
            in.skipBytes(100);
            assertThat(in.read()).isEqualTo(content[100] & 0xff);
            ByteBuffer zero =
                    in.read(new ElasticByteBufferPool(), 10, EnumSet.noneOf(org.apache.hadoop.fs.ReadOption.class));
            assertThat(zero.get()).isEqualTo(content[101]);
            in.releaseBuffer(zero);
            in.seek(2000);
            assertThat(in.read()).isEqualTo(content[1996] & 0xff);
            assertThat(in.read(content.length + 4, found, 0, 100)).isEqualTo(-1);
            in.unbuffer();
            in.close();
        }
        assertThat(counts).containsKey(FileCounter.CACHE_HITS).doesNotContainKey(FileCounter.CACHE_MISSES);
        assertThat(FileSystem.getGlobalStorageStatistics().get("hdfs").getLong("bytesRead") - readBefore)
                .isEqualTo(4 + 100 + 1 + 10 + 1);
        assertThat(fs.hasPathCapability(path("/file"), CommonPathCapabilities.FS_APPEND))
                .isTrue();
    }

    @Test
    void openTornAndUncheckedFilesAreNotKept() throws Exception {
        byte[] content = bytes(200_000, 4);
        FileScope task = task();
        FSDataOutputStream left;
        try (task) {
            left = fs.create(path("/left"));
            left.write(content);
            left.hflush();
            assertThat(BlockCache.ofJvm().usedBytes()).isPositive();
        }
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
        assertThat(read("/left")).isEqualTo(content);
        assertThat(counts).isEmpty();
        left.close();
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();

        fs.setVerifyChecksum(false);
        assertThat(read("/left")).isEqualTo(content);
        assertThat(counts).isEmpty();
        fs.setVerifyChecksum(true);

        // Another writer, and an end of a block where it is not full.
        FileScope second = task();
        try (second) {
            HdfsDataOutputStream out = (HdfsDataOutputStream) fs.create(path("/short"));
            out.write(content, 0, 1000);
            out.hsync(EnumSet.of(HdfsDataOutputStream.SyncFlag.END_BLOCK));
            out.write(content, 1000, 1000);
            out.close();
            FSDataOutputStream torn = fs.create(path("/torn"));
            torn.write(content);
            create(other, "/torn", bytes(100, 5));
            assertThatThrownBy(torn::close).isInstanceOf(IOException.class);
        }
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
        assertThat(read("/short")).isEqualTo(Arrays.copyOf(content, 2000));
        assertThat(read("/torn")).isEqualTo(bytes(100, 5));
    }

    @Test
    void userWhoMayNoLongerReadIsRefused() throws Exception {
        byte[] content = bytes(1000, 6);
        create(other, "/file", content);
        UserGroupInformation user = UserGroupInformation.createUserForTesting("reader", new String[] {"readers"});
        DistributedFileSystem theirs = user.doAs((PrivilegedExceptionAction<DistributedFileSystem>) () -> {
            DistributedFileSystem found = SharedHdfs.connect();
            assertThat(BerthDfsClient.install(found)).isTrue();
            return found;
        });
        DistributedFileSystem ours = fs;
        fs = theirs;
        assertMiss("/file", content);
        assertHit("/file", content);
        other.setPermission(path("/file"), new FsPermission("600"));
        assertThatThrownBy(() -> read("/file")).isInstanceOf(AccessControlException.class);
        fs = ours;
        assertHit("/file", content);
        theirs.close();
    }

    private void change(Random random, Map<String, byte[]> files, int step) throws Exception {
        FileSystem by = random.nextBoolean() ? fs : other;
        String name = "/f" + random.nextInt(3);
        boolean isNew = !files.containsKey(name);
        byte[] content = files.getOrDefault(name, new byte[0]);
        long modified = isNew ? 0 : other.getFileStatus(path(name)).getModificationTime();
        int kind = isNew ? 0 : random.nextInt(6);
        if (kind == 0) {
            byte[] bytes = bytes(isNew || random.nextBoolean() ? random.nextInt(600_000) : content.length, step);
            files.put(name, bytes);
            create(by, name, bytes);
        } else if (kind == 1) {
            byte[] more = bytes(random.nextInt(600_000), step);
            files.put(
                    name,
                    ByteBuffer.allocate(content.length + more.length)
                            .put(content)
                            .put(more)
                            .array());
            try (FSDataOutputStream out = by.append(path(name))) {
                out.write(more);
            }
        } else if (kind == 2 && content.length > 1) {
            // Another content of the same length and time.
            int length = random.nextInt(content.length - 1);
            boolean now = ((DistributedFileSystem) by).truncate(path(name), length);
            while (!now && !other.isFileClosed(path(name))) {
                SharedHdfs.cluster().triggerHeartbeats();
            }
            byte[] more = bytes(content.length - length, step);
            try (FSDataOutputStream out = by.append(path(name))) {
                out.write(more);
            }
            System.arraycopy(more, 0, content, length, more.length);
        } else if (kind == 3) {
            String to = "/f" + random.nextInt(3);
            if (!to.equals(name)) {
                ((DistributedFileSystem) by).rename(path(name), path(to), Options.Rename.OVERWRITE);
                files.put(to, files.remove(name));
                name = to;
            }
        } else if (kind == 4) {
            by.delete(path(name), false);
            files.remove(name);
        } else {
            by.setReplication(path(name), (short) 1);
        }
        if (files.containsKey(name) && modified != 0) {
            other.setTimes(path(name), modified, -1);
        }
    }

    /** Changes by this client and another one, in tasks and outside of them, of files whose time stays the same. */
    @Test
    void randomChangesAreNeverStale() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Map<String, byte[]> files = new TreeMap<>();
        long hits = 0;
        for (int step = 0; step < 25; step++) {
            FileScope task = random.nextBoolean() ? task() : null;
            try (task) {
                change(random, files, step);
            }
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                assertThat(read(file.getKey())).as("step %d of %d", step, seed).isEqualTo(file.getValue());
                hits += counts.getOrDefault(FileCounter.CACHE_HITS, 0L);
            }
        }
        assertThat(hits).isPositive();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            assertThat(bytes(other, file.getKey())).isEqualTo(file.getValue());
        }
    }
}
