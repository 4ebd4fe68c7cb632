package org.berth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

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
