package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystem.Statistics;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.berth.mapreduce.embedded.cache.BlockCache;
import org.berth.mapreduce.embedded.cache.FileScope;
import org.berth.mapreduce.embedded.cache.HdfsBlock;
import org.berth.mapreduce.embedded.cache.HdfsOutput;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The client below a {@link DistributedFileSystem}, with blocks in memory. The NameNode is asked for each file as without it: it refuses
 * what a user may not read, and names the blocks that count. Threads outside of jobs read from the DataNodes.
 */
@NullMarked
public final class BerthDfsClient extends DFSClient {
    private final String root;
    private final DFSClient former;
    private final BlockCache cache = BlockCache.ofJvm();

    private BerthDfsClient(URI uri, DistributedFileSystem above, Statistics statistics, DFSClient former)
            throws IOException {
        super(uri, above.getConf(), statistics);
        this.root = uri.toString();
        this.former = former;
    }

    /**
     * Puts itself below a file system, so that each program that has this object already reads and writes through it.
     *
     * @return false when the file system is of another kind
     * @throws LinkageError when Hadoop has not got what this class builds on
     */
    public static synchronized boolean install(FileSystem fileSystem) throws IOException {
        if (!(fileSystem instanceof DistributedFileSystem above)
                || fileSystem.getClass() != DistributedFileSystem.class) {
            return false;
        }
        DFSClient former = above.dfs;
        if (former instanceof BerthDfsClient) {
            return true;
        }
        if (former.getClass() != DFSClient.class) {
            return false;
        }
        requireHooks();
        // Those that the file system got by the same call.
        @SuppressWarnings("deprecation")
        Statistics statistics = FileSystem.getStatistics(above.getScheme(), DistributedFileSystem.class);
        try {
            above.dfs = former.ugi.doAs((PrivilegedExceptionAction<DFSClient>)
                    () -> new BerthDfsClient(above.getUri(), above, statistics, former));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        return true;
    }

    /** A method that is not there would fail where a task reads, or never be called. */
    private static void requireHooks() {
        try {
            List<Executable> found = List.of(
                    DFSInputStream.class.getDeclaredConstructor(
                            DFSClient.class, String.class, boolean.class, LocatedBlocks.class),
                    DFSInputStream.class.getDeclaredMethod(
                            "getBlockReader",
                            LocatedBlock.class,
                            long.class,
                            long.class,
                            InetSocketAddress.class,
                            StorageType.class,
                            DatanodeInfo.class),
                    DFSOutputStream.class.getDeclaredMethod("getBlock"));
            LOG.debug("Blocks in memory build on {}", found);
        } catch (NoSuchMethodException e) {
            throw new LinkageError("this version of Hadoop's client is not known: there is no " + e.getMessage(), e);
        }
    }

    private String key(String path) {
        return root + path;
    }

    @Override
    public DFSInputStream open(String path, int bufferSize, boolean verifyChecksum) throws IOException {
        FileScope scope = FileScope.current();
        // What a reader takes without comparing checksums may be wrong, and must not become another one's input.
        if (scope == null || !verifyChecksum || !scope.keeps(path)) {
            return super.open(path, bufferSize, verifyChecksum);
        }
        checkOpen();
        LocatedBlocks blocks = getLocatedBlocks(path, 0);
        if (blocks == null || blocks.getErasureCodingPolicy() != null) {
            return super.open(path, bufferSize, verifyChecksum);
        }
        return isComplete(blocks) && scope.mayHold(blocks.getFileLength())
                ? new BerthDfsInputStream(this, path, key(path), blocks, scope)
                : new DFSInputStream(this, path, true, blocks);
    }

    private static boolean isComplete(LocatedBlocks blocks) {
        return !blocks.isUnderConstruction() && blocks.isLastBlockComplete();
    }

    @Override
    public HdfsDataOutputStream createWrappedOutputStream(
            DFSOutputStream out, @Nullable Statistics statistics, long position) throws IOException {
        FileScope scope = FileScope.current();
        cache.dropTree(key(out.getSrc()));
        // Bytes of encrypted and striped files are not those of their blocks.
        return scope == null
                        || !scope.keeps(out.getSrc())
                        || position != 0
                        || out.getFileEncryptionInfo() != null
                        || out.getClass() != DFSOutputStream.class
                ? super.createWrappedOutputStream(out, statistics, position)
                : new BerthDfsOutputStream(
                        out, statistics, stream -> new HdfsOutput(stream, scope, sizeBytes -> blocks(out, sizeBytes)));
    }

    /**
     * The blocks of a file that was closed. Another client may have changed it since, by an append or a truncation, which gives the last
     * block another stamp or the file another length, or by another file of this name, whose blocks are others.
     */
    List<HdfsBlock> blocks(DFSOutputStream written, long sizeBytes) throws IOException {
        LocatedBlocks found = getLocatedBlocks(written.getSrc(), 0, sizeBytes);
        ExtendedBlock end = written.getBlock();
        if (found == null || end == null || !isComplete(found) || found.getFileLength() != sizeBytes) {
            return List.of();
        }
        List<LocatedBlock> all = found.getLocatedBlocks();
        ExtendedBlock last = all.get(all.size() - 1).getBlock();
        if (!last.equals(end) || last.getGenerationStamp() != end.getGenerationStamp()) {
            return List.of();
        }
        return all.stream()
                .map(block -> HdfsBlock.of(key(written.getSrc()), block))
                .toList();
    }

    @Override
    public boolean delete(String path, boolean recursive) throws IOException {
        boolean done = super.delete(path, recursive);
        if (done) {
            cache.dropTree(key(path));
        }
        return done;
    }

    /** Where the new name is a folder, the file is below it now, and its blocks are not found again. */
    @Override
    @Deprecated
    public boolean rename(String from, String to) throws IOException {
        boolean done = super.rename(from, to);
        if (done) {
            cache.mergeTree(key(from), key(to));
        }
        return done;
    }

    @Override
    public void rename(String from, String to, Options.Rename... options) throws IOException {
        super.rename(from, to, options);
        cache.moveTree(key(from), key(to));
    }

    /** Files that were opened before the installation belong to the former client. */
    @Override
    public void closeOutputStreams(boolean abort) {
        former.closeOutputStreams(abort);
        super.closeOutputStreams(abort);
    }

    @Override
    public synchronized void close() throws IOException {
        try {
            super.close();
        } finally {
            former.close();
        }
    }
}
