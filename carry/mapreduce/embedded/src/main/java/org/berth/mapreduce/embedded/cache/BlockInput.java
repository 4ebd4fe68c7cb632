package org.berth.mapreduce.embedded.cache;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.Arrays;
import org.apache.hadoop.fs.FileSystem.Statistics;
import org.jspecify.annotations.Nullable;

/** Reads a file of the disk by blocks: from the cache, or from the disk into the cache. */
public final class BlockInput extends SeekableInput {
    private final String path;
    private final FileVersion version;
    private final RandomAccessFile file;
    private final FileScope scope;
    private int index = -1;
    private byte[] block = new byte[0];
    private boolean hit;

    private BlockInput(
            String path, FileVersion version, RandomAccessFile file, FileScope scope, Statistics statistics) {
        super(statistics);
        this.path = path;
        this.version = version;
        this.file = file;
        this.scope = scope;
    }

    /** Opens a file; null when it must be read without the cache: it has changed just now, or is larger than the cache. */
    public static @Nullable BlockInput open(File source, FileScope scope, Statistics statistics) throws IOException {
        FileVersion version = FileVersion.of(source.toPath());
        if (version == null
                || version.sizeBytes() == 0
                || !version.isSettled(System.currentTimeMillis())
                || !scope.job().cache().mayHold(version.sizeBytes())) {
            return null;
        }
        // Opened in any case: the file system refuses what it would refuse without the cache.
        RandomAccessFile file = new RandomAccessFile(source, "r");
        if (!version.equals(FileVersion.of(source.toPath()))) {
            file.close();
            return null;
        }
        return new BlockInput(source.getPath(), version, file, scope, statistics);
    }

    @Override
    long sizeBytes() {
        return version.sizeBytes();
    }

    @Override
    int readAt(long from, byte[] target, int offset, int length) throws IOException {
        int wanted = (int) (from / BlockCache.BLOCK_BYTES);
        if (wanted != index) {
            fetch(wanted);
        }
        int at = (int) (from % BlockCache.BLOCK_BYTES);
        int part = Math.min(length, block.length - at);
        if (part <= 0) {
            return -1;
        }
        System.arraycopy(block, at, target, offset, part);
        scope.count(path, hit ? FileCounter.CACHE_HIT_BYTES : FileCounter.CACHE_MISS_BYTES, part);
        return part;
    }

    private void fetch(int wanted) throws IOException {
        BlockCache cache = scope.job().cache();
        byte[] data = cache.find(path, version, wanted);
        hit = data != null;
        if (data == null) {
            long start = (long) wanted * BlockCache.BLOCK_BYTES;
            data = new byte[(int) Math.min(BlockCache.BLOCK_BYTES, version.sizeBytes() - start)];
            file.seek(start);
            int found = 0;
            for (int n = 1; n > 0 && found < data.length; found += Math.max(n, 0)) {
                n = file.read(data, found, data.length - found);
            }
            if (found == data.length) {
                cache.put(path, version, wanted, data);
            } else {
                // Shorter than it says, like files of /sys, or shortened meanwhile.
                data = Arrays.copyOf(data, found);
            }
        }
        scope.count(path, hit ? FileCounter.CACHE_HITS : FileCounter.CACHE_MISSES, 1);
        block = data;
        index = wanted;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
