package org.berth.mapreduce.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Hadoop's own NameNode and DataNode in this JVM, started once for all classes with tests, and ended after the last of them. */
final class SharedHdfs implements BeforeAllCallback, AutoCloseable {
    /** A block of a file, the smallest that a NameNode takes. */
    static final int BLOCK_BYTES = 1 << 20;

    private static @Nullable MiniDFSCluster cluster;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        if (cluster == null) {
            Configuration conf = new HdfsConfiguration();
            conf.setInt("dfs.blocksize", BLOCK_BYTES);
            conf.setInt("dfs.replication", 1);
            cluster = new MiniDFSCluster.Builder(
                            conf, Files.createTempDirectory("hdfs").toFile())
                    .build();
            context.getRoot().getStore(ExtensionContext.Namespace.GLOBAL).put(SharedHdfs.class, this);
        }
    }

    @Override
    public void close() {
        cluster().shutdown(true);
    }

    /** Returns the cluster. */
    static MiniDFSCluster cluster() {
        return Objects.requireNonNull(cluster);
    }

    /** Returns a client of its own, with its own connections. */
    static FileSystem connect() throws IOException {
        return FileSystem.newInstance(cluster().getURI(), cluster().getConfiguration(0));
    }
}
