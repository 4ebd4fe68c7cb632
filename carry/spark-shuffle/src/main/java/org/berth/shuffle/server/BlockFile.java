package org.berth.shuffle.server;

import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads blocks into buffers outside the heap, from files without a copy in between. Keeps the last file open, because a
 * request often wants several blocks of one map's file. For one thread at a time.
 */
final class BlockFile implements AutoCloseable {
    private @Nullable File file;
    private @Nullable FileChannel channel;

    /** Fills a buffer with the bytes of a block from an offset on. */
    void read(ManagedBuffer block, long offset, ByteBuffer to) throws IOException {
        if (block instanceof FileSegmentManagedBuffer segment) {
            readFile(segment, offset, to);
        } else {
            ByteBuffer bytes = block.nioByteBuffer();
            to.put(bytes.slice(bytes.position() + (int) offset, to.remaining()));
        }
    }

    private void readFile(FileSegmentManagedBuffer segment, long offset, ByteBuffer to) throws IOException {
        FileChannel from = open(segment.getFile());
        long position = segment.getOffset() + offset;
        while (to.hasRemaining()) {
            int count = from.read(to, position);
            if (count < 0) {
                throw new EOFException(segment + " ends " + to.remaining() + " bytes too early");
            }
            position += count;
        }
    }

    private FileChannel open(File wanted) throws IOException {
        FileChannel open = channel;
        if (open == null || !wanted.equals(file)) {
            close();
            open = FileChannel.open(wanted.toPath(), StandardOpenOption.READ);
            channel = open;
            file = wanted;
        }
        return open;
    }

    @Override
    public void close() {
        FileChannel open = channel;
        channel = null;
        file = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException onlyRead) {
                // Nothing is lost.
            }
        }
    }
}
