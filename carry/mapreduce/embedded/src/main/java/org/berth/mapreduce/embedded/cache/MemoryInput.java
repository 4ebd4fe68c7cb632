package org.berth.mapreduce.embedded.cache;

import org.apache.hadoop.fs.FileSystem.Statistics;
import org.jspecify.annotations.Nullable;

/** Reads a file without a disk. */
public final class MemoryInput extends SeekableInput {
    private final String path;
    private final Blocks blocks;
    private final @Nullable FileScope scope;
    private long counted = -1;

    /** @param scope where to count, or null outside of jobs */
    public MemoryInput(MemoryFile file, @Nullable FileScope scope, Statistics statistics) {
        super(statistics);
        this.path = file.path();
        this.blocks = file.blocks();
        this.scope = scope;
    }

    @Override
    long sizeBytes() {
        return blocks.sizeBytes();
    }

    @Override
    int readAt(long from, byte[] target, int offset, int length) {
        long index = from / BlockCache.BLOCK_BYTES;
        int part = blocks.read(from, target, offset, length);
        if (part > 0 && scope != null) {
            scope.count(path, FileCounter.CACHE_HIT_BYTES, part);
            if (index != counted) {
                scope.count(path, FileCounter.CACHE_HITS, 1);
                counted = index;
            }
        }
        return part;
    }
}
