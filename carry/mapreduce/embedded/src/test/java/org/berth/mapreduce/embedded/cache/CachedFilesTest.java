package org.berth.mapreduce.embedded.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BerthLocalFileSystem;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a task sees of files that are cached or in memory only, one call at a time; names that begin with t are transient. */
@Tag("one-jdk")
class CachedFilesTest {
    private static final int BOUND = 4 * BlockCache.BLOCK_BYTES;

    private final Map<FileCounter, Long> counts = new EnumMap<>(FileCounter.class);

    @TempDir
    Path work;

    private LocalFileSystem fs;
    private JobFiles job;

    @BeforeEach
    void cache() throws IOException {
        BlockCache.ofJvm().limit(BOUND);
        fs = FileSystem.newInstanceLocal(new Configuration());
        assertThat(BerthLocalFileSystem.install(fs)).isTrue();
        job = new JobFiles(
                BlockCache.ofJvm(), new PathGlobs(List.of(work + "/t*")), List.of(work + "/own/"), List.of());
    }

    @AfterEach
    void empty() throws IOException {
        fs.delete(path(""), true);
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
        assertThat(MemoryFiles.ofJvm().below(work.toString())).isEmpty();
        BlockCache.ofJvm().limit(0);
        fs.close();
    }

    private org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path(work + "/" + name);
    }

    private FileScope task() {
        counts.clear();
        return job.enter((counter, number) -> counts.merge(counter, number, Long::sum));
    }

    private static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        new java.util.Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Writes a file in a task, and waits as a job does at its end. */
    private void write(String name, byte[] content) throws Exception {
        FileScope task = task();
        try (task;
                OutputStream out = fs.create(path(name))) {
            out.write(content);
        }
        job.settle();
    }

    private byte[] read(String name) throws IOException {
        FileScope task = task();
        try (task;
                InputStream in = fs.open(path(name))) {
            return in.readAllBytes();
        }
    }

    private byte[] onDisk(String name) throws IOException {
        return Files.readAllBytes(work.resolve(name));
    }

    private void assertHit(String name, byte[] content) throws IOException {
        assertThat(read(name)).isEqualTo(content);
        long blocks = (content.length + BlockCache.BLOCK_BYTES - 1L) / BlockCache.BLOCK_BYTES;
        assertThat(counts)
                .containsOnly(Map.entry(FileCounter.CACHE_HITS, blocks), Map.entry(FileCounter.CACHE_HIT_BYTES, (long)
                        content.length));
    }

    private void assertMiss(String name, byte[] content) throws IOException {
        assertThat(read(name)).isEqualTo(content);
        long blocks = (content.length + BlockCache.BLOCK_BYTES - 1L) / BlockCache.BLOCK_BYTES;
        assertThat(counts)
                .containsOnly(
                        Map.entry(FileCounter.CACHE_MISSES, blocks),
                        Map.entry(FileCounter.CACHE_MISS_BYTES, (long) content.length));
    }

    private static void settle() throws InterruptedException {
        Thread.sleep(40);
    }

    @Test
    void countersTellBlocksAndBytesWithoutChecksums() throws Exception {
        byte[] content = bytes(BlockCache.BLOCK_BYTES + 1000, 1);
        write("kept", content);
        assertThat(counts).isEmpty();
        assertHit("kept", content);
        write("t", content);
        assertThat(counts)
                .containsOnly(Map.entry(FileCounter.TRANSIENT_FILES, 1L), Map.entry(FileCounter.TRANSIENT_BYTES, (long)
                        content.length));
        assertHit("t", content);
        Files.write(work.resolve("foreign"), content);
        settle();
        assertMiss("foreign", content);
        assertHit("foreign", content);
    }

    @Test
    void memoryInUseIsTheLengthOfTheFiles() throws Exception {
        write("kept", bytes(1000, 1));
        write("t", bytes(3000, 2));
        long expected = 0;
        for (String name : List.of("kept", ".kept.crc", "t", ".t.crc")) {
            expected += fs.getRaw().getFileStatus(path(name)).getLen();
        }
        assertThat(expected).isBetween(4000L, 4100L);
        assertThat(BlockCache.ofJvm().usedBytes()).isEqualTo(expected);
        BlockCache.ofJvm().limit(0);
        assertThat(BlockCache.ofJvm().usedBytes())
                .as("files without a disk stay")
                .isBetween(3000L, 3100L);
    }

    @Test
    void leastRecentlyUsedBlocksLeaveAndComeBack() throws Exception {
        byte[] a = bytes(BlockCache.BLOCK_BYTES, 1);
        byte[] b = bytes(BlockCache.BLOCK_BYTES, 2);
        byte[] c = bytes(BlockCache.BLOCK_BYTES, 3);
        for (Map.Entry<String, byte[]> file : Map.of("a", a, "b", b, "c", c).entrySet()) {
            Files.write(work.resolve(file.getKey()), file.getValue());
        }
        settle();
        BlockCache.ofJvm().limit(2L * BlockCache.BLOCK_BYTES);
        assertMiss("a", a);
        assertMiss("b", b);
        assertHit("a", a);
        assertMiss("c", c);
        assertHit("a", a);
        assertHit("c", c);
        assertMiss("b", b);
        assertHit("b", b);
        assertMiss("a", a);
        BlockCache.ofJvm().limit(BlockCache.BLOCK_BYTES);
        assertThat(BlockCache.ofJvm().usedBytes()).isEqualTo(BlockCache.BLOCK_BYTES);
        assertHit("a", a);
    }

    @Test
    void changedFileOfTheSameLengthAndTimeIsReadAgain() throws Exception {
        Path file = Files.write(work.resolve("file"), bytes(1000, 1));
        FileTime time = Files.getLastModifiedTime(file);
        settle();
        assertMiss("file", bytes(1000, 1));
        assertHit("file", bytes(1000, 1));
        Files.write(file, bytes(1000, 2));
        Files.setLastModifiedTime(file, time);
        settle();
        assertMiss("file", bytes(1000, 2));
    }

    /** A change in the same tick of the kernel's clock would not be seen. On a busy host one of the files is read too late. */
    @Test
    void fileThatChangedJustNowIsNotKept() throws Exception {
        int notKept = 0;
        for (int i = 0; i < 50; i++) {
            Files.write(work.resolve("file" + i), bytes(1000, i));
            assertThat(read("file" + i)).isEqualTo(bytes(1000, i));
            notKept += counts.isEmpty() ? 1 : 0;
        }
        assertThat(notKept).isPositive();
    }

    @Test
    void fileThatIsShorterThanItSays() throws Exception {
        Path file = Path.of("/sys/devices/system/cpu/online");
        assertThat(Files.size(file)).isGreaterThan(Files.readAllBytes(file).length);
        for (int i = 0; i < 2; i++) {
            FileScope task = task();
            try (task;
                    InputStream in = fs.open(new org.apache.hadoop.fs.Path(file.toString()))) {
                assertThat(in.readAllBytes()).isEqualTo(Files.readAllBytes(file));
            }
        }
    }

    @Test
    void fileWithoutADiskTakesThePlaceOfOneOnDisk() throws Exception {
        byte[] content = bytes(1000, 1);
        Files.write(work.resolve("t1"), bytes(1000, 2));
        write("t1", content);
        assertThat(read("t1")).isEqualTo(content);
        Files.write(work.resolve("t2"), bytes(1000, 2));
        assertThat(fs.rename(path("t1"), path("t2"))).isTrue();
        assertThat(read("t2")).isEqualTo(content);
        Files.createDirectory(work.resolve("tfolder"));
        assertThat(fs.rename(path("t2"), path("tfolder"))).isTrue();
        assertThat(read("tfolder/t2")).isEqualTo(content);
        assertThat(work.resolve("t2")).doesNotExist();
        assertThat(fs.exists(path("t1"))).isFalse();
    }

    @Test
    void fileLargerThanTheBoundPushesNothingOut() throws Exception {
        byte[] small = bytes(1000, 1);
        byte[] large = bytes(BOUND + 1, 2);
        Files.write(work.resolve("small"), small);
        Files.write(work.resolve("large"), large);
        settle();
        assertMiss("small", small);
        assertThat(read("large")).isEqualTo(large);
        assertHit("small", small);
    }

    @Test
    void transientFileWithoutRoomIsWritten() throws Exception {
        byte[] content = bytes(BOUND + 1000, 1);
        write("t", content);
        assertThat(counts).containsOnly(Map.entry(FileCounter.TRANSIENT_FILES_WRITTEN, 1L));
        assertThat(onDisk("t")).isEqualTo(content);
        assertThat(read("t")).isEqualTo(content);
    }

    @Test
    void globNamesFilesAndWhatIsBelowFoldersOnly() {
        PathGlobs globs = new PathGlobs(List.of("/data/*/t{1,2}"));
        assertThat(List.of("/data/a/t1", "/data/a/t2/b/c")).allMatch(globs::matches);
        assertThat(List.of("/data", "/data/a", "/data/a/t3", "/data/t1", "/b/data/a/t1"))
                .noneMatch(globs::matches);
    }

    @Test
    void filesOfTheEngineAreNotKept() throws Exception {
        Files.createDirectory(work.resolve("own"));
        write("own/file", bytes(1000, 1));
        assertThat(read("own/file")).isEqualTo(onDisk("own/file"));
        assertThat(counts).isEmpty();
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
    }

    @Test
    void fileIsReplacedByRenameAndByAnotherWriter() throws Exception {
        byte[] a = bytes(1000, 1);
        byte[] b = bytes(1000, 2);
        write("a", a);
        write("b", b);
        FileScope task = task();
        try (task) {
            assertThat(fs.rename(path("a"), path("b"))).isTrue();
        }
        job.settle();
        assertHit("b", a);
        Files.createDirectories(work.resolve("from"));
        Files.createDirectories(work.resolve("to"));
        write("from/x", a);
        write("to/x", b);
        fs.delete(path("to"), true);
        assertThat(fs.rename(path("from"), path("to"))).isTrue();
        assertHit("to/x", a);

        assertThat(fs.rename(path("to"), path("third"))).isTrue();
        assertHit("third/x", a);

        // The first one writes on after the second has written over its beginning.
        FileScope both = task();
        try (both) {
            OutputStream first = fs.getRaw().create(path("both"));
            OutputStream second = fs.getRaw().create(path("both"));
            first.write(a, 0, 300);
            first.flush();
            second.write(b, 0, 500);
            second.close();
            first.write(a, 300, 200);
            first.close();
        }
        job.settle();
        assertThat(read("both")).isEqualTo(onDisk("both"));
    }

    @Test
    void appendTruncateAndOwnerBringAFileToTheDisk() throws Exception {
        byte[] content = bytes(1000, 1);
        write("t1", content);
        assertThat(work.resolve("t1")).doesNotExist();
        try (OutputStream out = fs.getRaw().append(path("t1"))) {
            out.write(content);
        }
        byte[] twice =
                java.nio.ByteBuffer.allocate(2000).put(content).put(content).array();
        assertThat(onDisk("t1")).isEqualTo(twice);
        write("t2", content);
        assertThat(fs.getRaw().truncate(path("t2"), 300)).isTrue();
        assertThat(onDisk("t2")).isEqualTo(java.util.Arrays.copyOf(content, 300));
        write("t3", content);
        fs.getRaw().setOwner(path("t3"), fs.getFileStatus(path("t3")).getOwner(), null);
        assertThat(onDisk("t3")).isEqualTo(content);
    }

    @Test
    void statusOfAFileFollowsItToTheDisk() throws Exception {
        write("t", bytes(10, 1));
        write("kept", bytes(10, 1));
        assertThat(fs.getFileStatus(path("t")).getPermission())
                .isEqualTo(fs.getFileStatus(path("kept")).getPermission());
        fs.setPermission(path("t"), new FsPermission("640"));
        fs.setTimes(path("t"), 1_000_000_000_000L, -1);
        FileStatus status = fs.getFileStatus(path("t"));
        assertThat(status.getPermission()).isEqualTo(new FsPermission("640"));
        assertThat(status.getModificationTime()).isEqualTo(1_000_000_000_000L);
        assertThat(fs.rename(path("t"), path("disk"))).isTrue();
        assertThat(Files.getLastModifiedTime(work.resolve("disk")).toMillis()).isEqualTo(1_000_000_000_000L);
        assertThat(fs.getFileStatus(path("disk")).getPermission()).isEqualTo(new FsPermission("640"));
        assertThat(MemoryFiles.ofJvm().isEmpty()).isTrue();
    }

    @Test
    void fileWithoutADiskIsAFileToOthers() throws Exception {
        byte[] content = bytes(10, 1);
        Files.createDirectory(work.resolve("tfolder"));
        write("tfolder/t", content);
        FileScope task = task();
        try (task) {
            assertThatThrownBy(() -> fs.create(path("tfolder/t"), false))
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThatThrownBy(() -> fs.create(path("tfolder/t"), false)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> fs.mkdirs(path("tfolder/t"))).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> fs.mkdirs(path("tfolder/t/below"))).isInstanceOf(ParentNotDirectoryException.class);
        assertThatThrownBy(() -> fs.delete(path("tfolder"), false)).isInstanceOf(IOException.class);
        assertThat(read("tfolder/t")).isEqualTo(content);
        // Into a folder of another name it is written.
        assertThat(fs.rename(path("tfolder"), path("folder"))).isTrue();
        assertThat(onDisk("folder/t")).isEqualTo(content);
    }

    @Test
    void fileThatIsLeftOpenIsForgotten() throws Exception {
        FileScope task = task();
        OutputStream kept;
        OutputStream inMemory;
        try (task) {
            kept = fs.create(path("kept"));
            kept.write(bytes(100_000, 1));
            inMemory = fs.create(path("t"));
            inMemory.write(bytes(100_000, 1));
            assertThat(BlockCache.ofJvm().usedBytes()).isGreaterThan(150_000);
        }
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
        assertThat(fs.exists(path("t"))).isFalse();
        kept.close();
        inMemory.close();
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
        try (Stream<Path> files = Files.list(work)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("kept", ".kept.crc");
        }
    }
}
