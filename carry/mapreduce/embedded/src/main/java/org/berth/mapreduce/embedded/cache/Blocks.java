package org.berth.mapreduce.embedded.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Bytes that grow at their end, in blocks that are taken from a cache's bound. Thread-safe. */
final class Blocks {
    private static final int SMALLEST = 1 << 10;

    private final BlockCache cache;
    private final List<byte[]> blocks = new ArrayList<>();
    private long sizeBytes;
    private boolean released;

    Blocks(BlockCache cache) {
        this.cache = cache;
    }

    synchronized long sizeBytes() {
        return sizeBytes;
    }

    /** Appends bytes. Returns how many of them found room. */
    synchronized int append(byte[] source, int offset, int length) {
        int done = 0;
        while (done < length && !released) {
            int at = (int) (sizeBytes % BlockCache.BLOCK_BYTES);
            byte[] last = blocks.isEmpty() ? new byte[0] : blocks.get(blocks.size() - 1);
            boolean full = at == 0;
            if (full || at == last.length) {
                int wanted = Math.max(SMALLEST, Math.max(full ? 0 : last.length * 2, (full ? 0 : at) + length - done));
                int size = Math.min(BlockCache.BLOCK_BYTES, wanted);
                if (!cache.reserve(size - (full ? 0 : last.length))) {
                    return done;
                }
                if (full) {
                    last = new byte[size];
                    blocks.add(last);
                } else {
                    last = Arrays.copyOf(last, size);
                    blocks.set(blocks.size() - 1, last);
                }
            }
            int part = Math.min(length - done, last.length - at);
            System.arraycopy(source, offset + done, last, at, part);
            done += part;
            sizeBytes += part;
        }
        return done;
    }

    /** Copies bytes from a position. Returns how many there were, or -1 at the end. */
    synchronized int read(long position, byte[] target, int offset, int length) {
        if (position >= sizeBytes) {
            return -1;
        }
        byte[] block = blocks.get((int) (position / BlockCache.BLOCK_BYTES));
        int at = (int) (position % BlockCache.BLOCK_BYTES);
        int part = (int) Math.min(Math.min(length, sizeBytes - position), BlockCache.BLOCK_BYTES - at);
        System.arraycopy(block, at, target, offset, part);
        return part;
    }

    /** Releases what the last block does not use. */
    synchronized void trim() {
        if (!blocks.isEmpty() && !released) {
            byte[] last = blocks.get(blocks.size() - 1);
            int used = (int) (sizeBytes - (blocks.size() - 1L) * BlockCache.BLOCK_BYTES);
            if (used < last.length) {
                blocks.set(blocks.size() - 1, Arrays.copyOf(last, used));
                cache.release(last.length - used);
            }
        }
    }

    /** Hands the blocks and the room for them to the caller; none when the room was given back. */
    synchronized List<byte[]> take() {
        List<byte[]> result = released ? List.of() : new ArrayList<>(blocks);
        released = true;
        return result;
    }

    /** Releases the room. Streams that read already go on, as with a file on disk that is deleted. */
    synchronized void release() {
        long bytes = 0;
        for (byte[] block : take()) {
            bytes += block.length;
        }
        cache.release(bytes);
    }
}
