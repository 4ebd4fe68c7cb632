package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.berth.mapreduce.embedded.SharedHdfs;
import org.berth.mapreduce.embedded.cache.BlockCache;
import org.berth.mapreduce.embedded.cache.FileScope;
import org.berth.mapreduce.embedded.cache.JobFiles;
import org.berth.mapreduce.embedded.cache.PathGlobs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A file that another client changes between its end and the question for its blocks. */
@Tag("one-jdk")
@Tag("cluster")
@ExtendWith(SharedHdfs.class)
class BerthDfsClientTest {
    private static final Path FILE = new Path("/file");

    private final byte[] content = new byte[1000];
    private DistributedFileSystem fs;
    private DistributedFileSystem other;

    @BeforeEach
    void install() throws IOException {
        fs = SharedHdfs.connect();
        other = SharedHdfs.connect();
        BlockCache.ofJvm().limit(1 << 20);
        assertThat(BerthDfsClient.install(fs)).isTrue();
        new Random(1).nextBytes(content);
    }

    @AfterEach
    void delete() throws IOException {
        fs.delete(FILE, false);
        assertThat(BlockCache.ofJvm().usedBytes()).isZero();
        BlockCache.ofJvm().limit(0);
        fs.close();
        other.close();
    }

    private static FSDataOutputStream written(FileSystem by, byte[] bytes) throws IOException {
        FSDataOutputStream out = by.create(FILE, true);
        out.write(bytes);
        out.close();
        return out;
    }

    private boolean isKept(FSDataOutputStream out) throws IOException {
        return !((BerthDfsClient) fs.dfs)
                .blocks((DFSOutputStream) out.getWrappedStream(), content.length)
                .isEmpty();
    }

    private void append(byte[] bytes) throws IOException {
        try (FSDataOutputStream out = other.append(FILE)) {
            out.write(bytes);
        }
    }

    @Test
    void fileThatChangedAfterItsEndIsNotKept() throws Exception {
        assertThat(isKept(written(fs, content))).isTrue();

        FSDataOutputStream replaced = written(fs, content);
        written(other, new byte[content.length]);
        assertThat(isKept(replaced)).as("another file").isFalse();

        FSDataOutputStream longer = written(fs, content);
        append(new byte[10]);
        assertThat(isKept(longer)).as("another length").isFalse();

        FSDataOutputStream changed = written(fs, content);
        boolean done = other.truncate(FILE, 300);
        while (!done && !other.isFileClosed(FILE)) {
            SharedHdfs.cluster().triggerHeartbeats();
        }
        append(new byte[content.length - 300]);
        assertThat(other.getFileStatus(FILE).getLen()).isEqualTo(content.length);
        assertThat(isKept(changed)).as("another stamp").isFalse();
    }

    @Test
    void fileThatWasOpenBeforeIsClosedWithTheFileSystem() throws Exception {
        DistributedFileSystem own = SharedHdfs.connect();
        DFSClient former = own.dfs;
        FSDataOutputStream open = own.create(FILE);
        open.write(content);
        assertThat(BerthDfsClient.install(own)).isTrue();
        assertThat(own.dfs).isNotSameAs(former);
        own.close();
        assertThat(other.isFileClosed(FILE)).isTrue();
        assertThat(other.getFileStatus(FILE).getLen()).isEqualTo(content.length);
        assertThat(former.isClientRunning()).isFalse();
    }

    @Test
    void overwrittenFileLeavesAndAppendKnowsItsPosition() throws Exception {
        FileScope task = new JobFiles(BlockCache.ofJvm(), new PathGlobs(List.of()), List.of(), List.of())
                .enter((counter, number) -> {});
        try (task) {
            written(fs, content);
            written(fs, new byte[300]);
            assertThat(BlockCache.ofJvm().usedBytes()).isEqualTo(300);
            try (FSDataOutputStream out = fs.append(FILE)) {
                out.write(content);
                assertThat(out.getPos()).isEqualTo(300 + content.length);
            }
        }
    }
}
