package org.berth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.berth.oracle.Await;

/** A file of random bytes by seed, written in parts and compared as a whole. */
final class TestFile {
    private final Path path;
    private final byte[] content;

    TestFile(String path, int sizeBytes, long seed) {
        this.path = new Path(path);
        this.content = new byte[sizeBytes];
        new Random(seed).nextBytes(content);
    }

    Path path() {
        return path;
    }

    int size() {
        return content.length;
    }

    /** Returns when the DataNodes have it. */
    void write(FSDataOutputStream out, int from, int to) throws IOException {
        out.write(content, from, to - from);
        out.hflush();
    }

    void writeUnchecked(FSDataOutputStream out, int from, int to) {
        try {
            write(out, from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void writeTo(FileSystem files) throws IOException {
        try (FSDataOutputStream out = files.create(path)) {
            write(out, 0, content.length);
        }
    }

    /** In two goes, the second one an append to blocks with this number of copies. */
    void writeAndAppend(FileSystem files, int from, int copies) throws IOException {
        try (FSDataOutputStream out = files.create(path)) {
            write(out, 0, from);
        }
        // The client does not wait for the NameNode to hear of every copy.
        Await.until("every copy", () -> copies(files) == copies);
        try (FSDataOutputStream out = files.append(path)) {
            write(out, from, content.length);
        }
    }

    /** On one DataNode alone. */
    FSDataOutputStream createAt(DistributedFileSystem files, DatanodeID node) throws IOException {
        InetSocketAddress[] only = {new InetSocketAddress(node.getIpAddr(), node.getXferPort())};
        return files.create(path, FsPermission.getFileDefault(), true, 4096, (short) 1, 8 << 20, null, only);
    }

    /** How many DataNodes have all of it. */
    int copies(FileSystem files) {
        try {
            int least = Integer.MAX_VALUE;
            for (BlockLocation block : files.getFileBlockLocations(path, 0, content.length)) {
                least = Math.min(least, block.getNames().length);
            }
            return least;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static boolean contains(java.nio.file.Path file, String text) {
        try {
            return Files.readString(file).contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void assertSameIn(FileSystem files) throws IOException {
        try (FSDataInputStream in = files.open(path)) {
            assertSame(in);
        }
    }

    void assertSame(FSDataInputStream in) throws IOException {
        byte[] read = in.readAllBytes();
        assertThat(Arrays.equals(read, content))
                .as("%s is what was written", path)
                .isTrue();
    }
}
