package org.berth.mapreduce.embedded.cache;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;
import org.jspecify.annotations.Nullable;

/** Writes a file to the disk, and keeps its blocks when it was closed and all of them have found room. */
public final class BlockOutput extends OutputStream
        implements Syncable, StreamCapabilities, IOStatisticsSource, FileScope.Kept {
    private final File target;
    private final FSDataOutputStream disk;
    private final FileScope scope;
    private @Nullable Blocks blocks;
    private boolean closed;

    /** Opens nothing: the stream to the disk is open. */
    public BlockOutput(File target, FSDataOutputStream disk, FileScope scope) {
        this.target = target;
        this.disk = disk;
        this.scope = scope;
        this.blocks = new Blocks(scope.job().cache());
        scope.opened(this);
        BlockOutput other = JobFiles.writing().put(target.getPath(), this);
        if (other != null) {
            // Two writers of one file: what the disk gets in the end is not known here.
            other.forget();
            forget();
        }
    }

    private synchronized void forget() {
        if (blocks != null) {
            blocks.release();
            blocks = null;
        }
    }

    @Override
    public void abandon() {
        forget();
        JobFiles.writing().remove(target.getPath(), this);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] data, int offset, int length) throws IOException {
        disk.write(data, offset, length);
        if (blocks != null && blocks.append(data, offset, length) < length) {
            forget();
        }
    }

    @Override
    public void flush() throws IOException {
        disk.flush();
    }

    @Override
    public void hflush() throws IOException {
        disk.hflush();
    }

    @Override
    public void hsync() throws IOException {
        disk.hsync();
    }

    @Override
    public boolean hasCapability(String capability) {
        return disk.hasCapability(capability);
    }

    @Override
    @SuppressWarnings("NullAway") // null is Hadoop's word for: none
    public @Nullable IOStatistics getIOStatistics() {
        return IOStatisticsSupport.retrieveIOStatistics(disk);
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            disk.close();
            keep();
        } finally {
            forget();
            scope.closed(this);
            JobFiles.writing().remove(target.getPath(), this);
        }
    }

    private void keep() {
        Blocks all = blocks;
        FileVersion version = all == null ? null : FileVersion.of(target.toPath());
        if (all != null && version != null && all.sizeBytes() > 0 && version.sizeBytes() == all.sizeBytes()) {
            all.trim();
            scope.job().cache().adopt(target.getPath(), version, all.take());
            scope.job().changed(version);
        }
    }
}
