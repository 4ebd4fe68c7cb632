package org.berth.mapreduce.embedded.cache;

import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem.Statistics;
import org.jspecify.annotations.Nullable;

/** Reads a file without a disk. */
public final class MemoryInput extends FSInputStream {
    private final String path;
    private final Blocks blocks;
    private final @Nullable FileScope scope;
    private final Statistics statistics;
    private long position;
    private long counted = -1;

    /** @param scope where to count, or null outside of jobs */
    public MemoryInput(MemoryFile file, @Nullable FileScope scope, Statistics statistics) {
        this.path = file.path();
        this.blocks = file.blocks();
        this.scope = scope;
        this.statistics = statistics;
    }

    @Override
    public synchronized int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public synchronized int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        long index = position / BlockCache.BLOCK_BYTES;
        int part = blocks.read(position, target, offset, length);
        if (part > 0) {
            position += part;
            statistics.incrementBytesRead(part);
            if (scope != null) {
                scope.count(path, FileCounter.CACHE_HIT_BYTES, part);
                if (index != counted) {
                    scope.count(path, FileCounter.CACHE_HITS, 1);
                    counted = index;
                }
            }
        }
        return part;
    }

    @Override
    public synchronized int available() {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, blocks.sizeBytes() - position));
    }

    @Override
    public synchronized long skip(long bytes) {
        long part = Math.max(0, Math.min(bytes, blocks.sizeBytes() - position));
        position += part;
        return part;
    }

    @Override
    public synchronized void seek(long newPosition) throws IOException {
        if (newPosition < 0) {
            throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK);
        }
        position = newPosition;
    }

    @Override
    public synchronized long getPos() {
        return position;
    }

    @Override
    public boolean seekToNewSource(long target) {
        return false;
    }
}
