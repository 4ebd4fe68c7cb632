package org.berth.mapreduce.embedded.cache;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a file without a disk. When there is no more room, the file goes to the disk. */
public final class MemoryOutput extends OutputStream implements Syncable, StreamCapabilities, FileScope.Kept {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryOutput.class);

    private final MemoryFiles files;
    private final MemoryFile file;
    private final FileScope scope;
    private final Disk disk;
    private @Nullable OutputStream written;
    private boolean closed;

    /** Opens a file on disk. */
    public interface Disk {
        /** Returns a stream to an empty file of this name. */
        OutputStream create(String path) throws IOException;
    }

    /** Makes the file; one of the same name is removed. */
    public MemoryOutput(MemoryFiles files, String path, FsPermission permission, FileScope scope, Disk disk)
            throws IOException {
        this.files = files;
        this.scope = scope;
        this.disk = disk;
        this.file = new MemoryFile(
                path, new Blocks(scope.job().cache()), scope.job().transients(), permission);
        files.add(file);
        scope.opened(this);
    }

    @Override
    public synchronized void abandon() {
        files.remove(file);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] data, int offset, int length) throws IOException {
        OutputStream out = written;
        if (out != null) {
            out.write(data, offset, length);
            return;
        }
        if (file.isOnDisk()) {
            throw new IOException(
                    file.path() + " went to the disk before it was closed: close it before it is renamed");
        }
        int done = file.blocks().append(data, offset, length);
        if (done < length && !file.isRemoved()) {
            toDisk().write(data, offset + done, length - done);
        }
    }

    private OutputStream toDisk() throws IOException {
        String path = file.path();
        LOG.info("{} needs no disk, but {} has no room for it: it is written", path, "berth.mapreduce.cache.bytes");
        OutputStream out = disk.create(path);
        written = out;
        file.copyTo(out);
        files.remove(file);
        scope.count(path, FileCounter.TRANSIENT_FILES_WRITTEN, 1);
        return out;
    }

    @Override
    public synchronized void flush() throws IOException {
        if (written != null) {
            written.flush();
        }
    }

    @Override
    public void hflush() throws IOException {
        flush();
    }

    @Override
    public void hsync() throws IOException {
        flush();
    }

    @Override
    public boolean hasCapability(String capability) {
        return false;
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        scope.closed(this);
        if (written != null) {
            written.close();
            return;
        }
        file.blocks().trim();
        file.modified(System.currentTimeMillis());
        scope.count(file.path(), FileCounter.TRANSIENT_FILES, 1);
        scope.count(file.path(), FileCounter.TRANSIENT_BYTES, file.sizeBytes());
    }
}
