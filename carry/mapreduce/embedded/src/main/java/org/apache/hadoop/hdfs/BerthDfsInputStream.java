package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.berth.mapreduce.embedded.cache.FileScope;
import org.berth.mapreduce.embedded.cache.HdfsBlock;
import org.berth.mapreduce.embedded.cache.HdfsBlockInput;
import org.jspecify.annotations.NullMarked;

/** Reads a file of HDFS, its blocks by way of the cache. */
@NullMarked
final class BerthDfsInputStream extends DFSInputStream {
    private final String path;
    private final FileScope scope;

    /**
     * @param source path as the NameNode knows it
     * @param path the same with its file system
     * @param blocks of a file that nobody writes
     */
    BerthDfsInputStream(DFSClient client, String source, String path, LocatedBlocks blocks, FileScope scope)
            throws IOException {
        super(client, source, true, blocks);
        this.path = path;
        this.scope = scope;
    }

    @Override
    protected BlockReader getBlockReader(
            LocatedBlock block, long from, long length, InetSocketAddress address, StorageType type, DatanodeInfo node)
            throws IOException {
        return HdfsBlockInput.open(
                HdfsBlock.of(path, block),
                scope,
                (start, bytes) -> super.getBlockReader(block, start, bytes, address, type, node),
                from,
                length);
    }
}
