package org.berth.mapreduce.embedded.cache;

import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem.Statistics;

/** A stream over bytes of a known size, with the position of the next one. Thread-safe. */
abstract class SeekableInput extends FSInputStream {
    private final Statistics statistics;
    private long position;

    SeekableInput(Statistics statistics) {
        this.statistics = statistics;
    }

    abstract long sizeBytes();

    /** Copies bytes from a position before the end. Returns how many, at least one, or -1 when the file has become shorter. */
    abstract int readAt(long from, byte[] target, int offset, int length) throws IOException;

    @Override
    public final synchronized int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public final synchronized int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        int part = position < sizeBytes() ? readAt(position, target, offset, length) : -1;
        if (part > 0) {
            position += part;
            statistics.incrementBytesRead(part);
        }
        return part;
    }

    @Override
    public final synchronized int available() {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, sizeBytes() - position));
    }

    @Override
    public final synchronized long skip(long bytes) {
        long part = Math.max(0, Math.min(bytes, sizeBytes() - position));
        position += part;
        return part;
    }

    @Override
    public final synchronized void seek(long newPosition) throws IOException {
        if (newPosition < 0) {
            throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK);
        }
        position = newPosition;
    }

    @Override
    public final synchronized long getPos() {
        return position;
    }

    @Override
    public final boolean seekToNewSource(long target) {
        return false;
    }
}
