package org.berth.mapreduce.embedded.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One state of a file. The time of the inode's change is part of it: a program can set the modification time, but not this one.
 *
 * @param sizeBytes length
 * @param device number of the device
 * @param inode number of the inode
 * @param modifiedNanos time of the last change of the content
 * @param changedNanos time of the last change of the inode, which a change of the content, a rename and a new mode set
 */
public record FileVersion(long sizeBytes, long device, long inode, long modifiedNanos, long changedNanos) {
    private static final String ATTRIBUTES = "unix:isRegularFile,size,dev,ino,lastModifiedTime,ctime";

    /** The kernel's clock for files moves by up to 10 ms at a time (100 Hz). */
    private static final long TICK_MILLIS = 20;

    /** A file system whose times are whole seconds, or whole pairs of them. */
    private static final long COARSE_TICK_MILLIS = 2500;

    /** Returns the present state of a file, or null when there is none, or it cannot be told. */
    public static @Nullable FileVersion of(Path file) {
        try {
            Map<String, Object> found = Files.readAttributes(file, ATTRIBUTES);
            if (!Boolean.TRUE.equals(found.get("isRegularFile"))) {
                return null;
            }
            return new FileVersion(
                    number(found, "size"),
                    number(found, "dev"),
                    number(found, "ino"),
                    nanos(found, "lastModifiedTime"),
                    nanos(found, "ctime"));
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    private static long number(Map<String, Object> found, String name) {
        return ((Number) Objects.requireNonNull(found.get(name))).longValue();
    }

    private static long nanos(Map<String, Object> found, String name) {
        return ((FileTime) Objects.requireNonNull(found.get(name))).to(TimeUnit.NANOSECONDS);
    }

    /** Time from which on each further change gives the file another version. */
    long settledMillis() {
        boolean coarse = changedNanos % 1_000_000_000 == 0;
        return changedNanos / 1_000_000 + (coarse ? COARSE_TICK_MILLIS : TICK_MILLIS);
    }

    /** Whether a change after this moment is sure to be seen in the version. */
    boolean isSettled(long nowMillis) {
        return nowMillis >= settledMillis();
    }

    /** Whether the content is the same when the file was only renamed meanwhile. */
    boolean sameContent(FileVersion other) {
        return sizeBytes == other.sizeBytes
                && device == other.device
                && inode == other.inode
                && modifiedNanos == other.modifiedNanos;
    }
}
