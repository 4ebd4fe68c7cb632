package org.berth.mapreduce.runtime.blocks;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapred.IFile;
import org.jspecify.annotations.Nullable;

/** A file of segments in Hadoop's own format with checksums, in one of the folders of {@code mapreduce.cluster.local.dir}. */
public final class SpillFile implements Closeable {
    /** The key of a configuration that names the folders of a job. */
    public static final String DIRS = "org.berth.mapreduce.spill.dirs";

    private static final String REMEDY = "free space, name folders on other disks in mapreduce.cluster.local.dir, set"
            + " mapreduce.map.output.compress=true, or raise berth.mapreduce.memory.bytes";

    private final Configuration conf;
    private final @Nullable CompressionCodec codec;
    private final FileSystem local;
    private final Path path;
    private final AtomicInteger users = new AtomicInteger(1);
    private final FSDataOutputStream out;

    private SpillFile(Configuration conf, @Nullable CompressionCodec codec, String name, long bytes)
            throws IOException {
        this.conf = conf;
        this.codec = codec;
        this.local = FileSystem.getLocal(conf).getRaw();
        try {
            this.path = new LocalDirAllocator(DIRS).getLocalPathForWrite(name, bytes, conf);
        } catch (IOException e) {
            throw new IOException(
                    "cannot place a spill file of about " + bytes + " bytes in "
                            + String.join(", ", conf.getTrimmedStrings(DIRS)) + " (" + e.getMessage() + "); " + REMEDY,
                    e);
        }
        try {
            this.out = local.create(path);
        } catch (IOException | FSError e) {
            throw failure(0, e);
        }
    }

    /** Hadoop's local file system throws an error when a disk is full. */
    private IOException failure(long written, Throwable e) {
        Throwable cause = e instanceof FSError && e.getCause() != null ? e.getCause() : e;
        return new IOException(
                "cannot write to the spill file " + path + " after " + written + " bytes: " + cause.getMessage() + " ("
                        + new File(path.getParent().toUri().getPath()).getUsableSpace() + " bytes are free there); "
                        + REMEDY,
                e);
    }

    public static SpillFile create(Configuration conf, @Nullable CompressionCodec codec, String name, long bytes)
            throws IOException {
        return new SpillFile(conf, codec, name, bytes);
    }

    /** Starts a segment; the former one must be closed. */
    public SegmentWriter start() throws IOException {
        return new SegmentWriter();
    }

    /** Ends writing. The file is deleted when the last of its segments has been released. */
    @Override
    public void close() throws IOException {
        try {
            out.close();
        } catch (IOException | FSError e) {
            throw failure(out.getPos(), e);
        } finally {
            leave();
        }
    }

    private void leave() {
        if (users.decrementAndGet() == 0) {
            try {
                local.delete(path, false);
            } catch (IOException e) {
                // The folder of the job is removed with all that is in it.
            }
        }
    }

    public final class SegmentWriter {
        private final long start = out.getPos();
        private final DataInputBuffer key = new DataInputBuffer();
        private final DataInputBuffer value = new DataInputBuffer();
        private final IFile.Writer<Object, Object> writer;
        private long records;

        @SuppressWarnings("NullAway") // no class of keys or values: the records are serialised already
        private SegmentWriter() throws IOException {
            writer = new IFile.Writer<>(conf, out, null, null, codec, null);
        }

        public void append(
                byte[] keyData, int keyStart, int keyLength, byte[] valueData, int valueStart, int valueLength)
                throws IOException {
            key.reset(keyData, keyStart, keyLength);
            value.reset(valueData, valueStart, valueLength);
            append(key, value);
        }

        public void append(DataInputBuffer nextKey, DataInputBuffer nextValue) throws IOException {
            try {
                writer.append(nextKey, nextValue);
            } catch (IOException | FSError e) {
                throw failure(out.getPos(), e);
            }
            records++;
        }

        public Segment close() throws IOException {
            try {
                writer.close();
            } catch (IOException | FSError e) {
                throw failure(out.getPos(), e);
            }
            users.incrementAndGet();
            return new DiskSegment(start, writer.getCompressedLength(), records);
        }
    }

    private final class DiskSegment implements Segment {
        private final long start;
        private final long bytes;
        private final long records;
        private boolean released;

        DiskSegment(long start, long bytes, long records) {
            this.start = start;
            this.bytes = bytes;
            this.records = records;
        }

        @Override
        public Cursor open() throws IOException {
            FSDataInputStream in = local.open(path);
            try {
                in.seek(start);
                return new DiskCursor(in, bytes);
            } catch (IOException | RuntimeException e) {
                in.close();
                throw e;
            }
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public long records() {
            return records;
        }

        @Override
        public boolean onDisk() {
            return true;
        }

        @Override
        public synchronized void release() {
            if (!released) {
                released = true;
                leave();
            }
        }
    }

    private final class DiskCursor implements Cursor {
        private final DataInputBuffer key = new DataInputBuffer();
        private final DataInputBuffer value = new DataInputBuffer();
        private final IFile.Reader<Object, Object> reader;

        @SuppressWarnings("NullAway") // Hadoop's reader takes no counter
        DiskCursor(FSDataInputStream in, long bytes) throws IOException {
            reader = new IFile.Reader<>(conf, in, bytes, codec, null);
        }

        @Override
        public boolean next() throws IOException {
            if (!reader.nextRawKey(key)) {
                return false;
            }
            reader.nextRawValue(value);
            return true;
        }

        @Override
        public byte[] keyBytes() {
            return key.getData();
        }

        @Override
        public int keyStart() {
            return key.getPosition();
        }

        @Override
        public int keyLength() {
            return key.getLength() - key.getPosition();
        }

        @Override
        public void value(DataInputBuffer buffer) {
            buffer.reset(value.getData(), value.getPosition(), valueLength());
        }

        @Override
        public int valueLength() {
            return value.getLength() - value.getPosition();
        }

        @Override
        public boolean stays() {
            return false;
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }
}
