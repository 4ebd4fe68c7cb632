package org.berth.mapreduce.embedded.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;

/**
 * Reads a block of HDFS from the cache, or from a DataNode into the cache. It stands where Hadoop's stream reads from a DataNode, so
 * positions, retries on other DataNodes and statistics are Hadoop's own. For one thread at a time, as each reader of blocks.
 */
public final class HdfsBlockInput implements BlockReader {
    private final HdfsBlock block;
    private final FileScope scope;
    private final Source source;
    private final long end;
    private long position;
    private int index = -1;
    private byte[] piece = new byte[0];
    private boolean hit;
    private @Nullable BlockReader remote;
    private long remotePosition;

    /** Opens the block at a DataNode. */
    public interface Source {
        /** Returns a reader of these bytes. */
        BlockReader open(long from, long length) throws IOException;
    }

    private HdfsBlockInput(HdfsBlock block, FileScope scope, Source source, long from, long length) {
        this.block = block;
        this.scope = scope;
        this.source = source;
        this.position = from;
        this.end = Math.min(from + length, block.sizeBytes());
    }

    /**
     * Opens a part of a block. A part that is not in memory is opened at the DataNode now, because Hadoop's stream asks for a new token
     * and takes another DataNode only for an error that comes here.
     */
    public static HdfsBlockInput open(HdfsBlock block, FileScope scope, Source source, long from, long length)
            throws IOException {
        HdfsBlockInput input = new HdfsBlockInput(block, scope, source, from, length);
        int first = (int) (from / BlockCache.BLOCK_BYTES);
        if (scope.job().cache().find(block.key(), block.version(), first) == null) {
            input.connect((long) first * BlockCache.BLOCK_BYTES);
        }
        return input;
    }

    private BlockReader connect(long from) throws IOException {
        long pieces = (end + BlockCache.BLOCK_BYTES - 1) / BlockCache.BLOCK_BYTES;
        long until = Math.min(pieces * BlockCache.BLOCK_BYTES, block.sizeBytes());
        BlockReader opened = source.open(from, until - from);
        remote = opened;
        remotePosition = from;
        return opened;
    }

    private void disconnect() throws IOException {
        BlockReader open = remote;
        remote = null;
        if (open != null) {
            open.close();
        }
    }

    private void fetch(int wanted) throws IOException {
        BlockCache cache = scope.job().cache();
        byte[] data = cache.find(block.key(), block.version(), wanted);
        hit = data != null;
        if (data == null) {
            data = read(wanted);
            cache.put(block.key(), block.version(), wanted, data);
        }
        scope.count(block.path(), hit ? FileCounter.CACHE_HITS : FileCounter.CACHE_MISSES, 1);
        piece = data;
        index = wanted;
    }

    private byte[] read(int wanted) throws IOException {
        long start = (long) wanted * BlockCache.BLOCK_BYTES;
        byte[] data = new byte[(int) Math.min(BlockCache.BLOCK_BYTES, block.sizeBytes() - start)];
        BlockReader open = remote;
        if (open == null || remotePosition != start) {
            disconnect();
            open = connect(start);
        }
        open.readFully(data, 0, data.length);
        remotePosition += data.length;
        return data;
    }

    /** Makes the bytes at the position those of {@link #piece}. Returns how many of them may be read, at most as many as wanted. */
    private int available(int wanted) throws IOException {
        int needed = (int) (position / BlockCache.BLOCK_BYTES);
        if (needed != index) {
            fetch(needed);
        }
        return (int) Math.min(Math.min(wanted, piece.length - offset()), end - position);
    }

    private int offset() {
        return (int) (position % BlockCache.BLOCK_BYTES);
    }

    private void advance(int bytes) {
        position += bytes;
        scope.count(block.path(), hit ? FileCounter.CACHE_HIT_BYTES : FileCounter.CACHE_MISS_BYTES, bytes);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (position >= end || length == 0) {
            return length == 0 ? 0 : -1;
        }
        int part = available(length);
        System.arraycopy(piece, offset(), target, offset, part);
        advance(part);
        return part;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (position >= end || !target.hasRemaining()) {
            return target.hasRemaining() ? -1 : 0;
        }
        int part = available(target.remaining());
        target.put(piece, offset(), part);
        advance(part);
        return part;
    }

    @Override
    public long skip(long bytes) {
        long part = Math.max(0, Math.min(bytes, end - position));
        position += part;
        return part;
    }

    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, end - position);
    }

    @Override
    public void readFully(byte[] target, int offset, int length) throws IOException {
        if (readAll(target, offset, length) < length) {
            throw new IOException("Premature EOF from inputStream");
        }
    }

    @Override
    public int readAll(byte[] target, int offset, int length) throws IOException {
        int done = 0;
        for (int n = 1; n > 0 && done < length; done += Math.max(n, 0)) {
            n = read(target, offset + done, length - done);
        }
        return done;
    }

    @Override
    public void close() throws IOException {
        piece = new byte[0];
        index = -1;
        disconnect();
    }

    @Override
    public boolean isShortCircuit() {
        BlockReader open = remote;
        return !hit && open != null && open.isShortCircuit();
    }

    @Override
    public int getNetworkDistance() {
        BlockReader open = remote;
        return hit || open == null ? 0 : open.getNetworkDistance();
    }

    /** There is no file to map. */
    @Override
    @SuppressWarnings("NullAway") // null is Hadoop's word for: none
    public @Nullable ClientMmap getClientMmap(EnumSet<ReadOption> options) {
        return null;
    }

    /** The DataNode's checksums were compared when the bytes came. */
    @Override
    public DataChecksum getDataChecksum() {
        return DataChecksum.newDataChecksum(DataChecksum.Type.NULL, 512);
    }
}
