package org.berth.mapreduce.embedded.cache;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.permission.FsPermission;

/** A file without a disk. Thread-safe. */
public final class MemoryFile {
    private final Blocks blocks;
    private final PathGlobs globs;
    private volatile String path;
    private volatile FsPermission permission;
    private volatile long modifiedMillis = System.currentTimeMillis();
    private volatile boolean removed;
    private volatile boolean onDisk;

    MemoryFile(String path, Blocks blocks, PathGlobs globs, FsPermission permission) {
        this.path = path;
        this.blocks = blocks;
        this.globs = globs;
        this.permission = permission;
    }

    Blocks blocks() {
        return blocks;
    }

    /** Returns its present path. */
    public String path() {
        return path;
    }

    void moved(String newPath) {
        path = newPath;
    }

    /** Whether the job that made the file lets a file of this name be without a disk. */
    public boolean mayBe(String newPath) {
        return globs.matches(newPath);
    }

    /** Returns its length. */
    public long sizeBytes() {
        return blocks.sizeBytes();
    }

    /** Returns its modification time. */
    public long modifiedMillis() {
        return modifiedMillis;
    }

    /** Sets its modification time. */
    public void modified(long millis) {
        modifiedMillis = millis;
    }

    /** Returns its mode. */
    public FsPermission permission() {
        return permission;
    }

    /** Sets its mode. */
    public void permission(FsPermission newPermission) {
        permission = newPermission;
    }

    /** Notes that the disk has the file now: what is written to it later would be lost. */
    public void goesToDisk() {
        onDisk = true;
    }

    boolean isOnDisk() {
        return onDisk;
    }

    boolean isRemoved() {
        return removed;
    }

    void remove() {
        removed = true;
        blocks.release();
    }

    /** Writes its bytes. */
    public void copyTo(OutputStream out) throws IOException {
        byte[] buffer = new byte[64 << 10];
        long position = 0;
        for (int n = blocks.read(0, buffer, 0, buffer.length);
                n > 0;
                n = blocks.read(position, buffer, 0, buffer.length)) {
            out.write(buffer, 0, n);
            position += n;
        }
    }
}
