package org.berth.mapreduce.embedded.cache;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The folder on disk of files without a disk. It is kept open, so that no other folder gets its inode: when another program removes
 * the folder, even if it makes one of the same name, the files are gone.
 */
final class MemoryFolder implements AutoCloseable {
    private final DirectoryStream<Path> handle;
    private final @Nullable Object key;
    private int files;

    @SuppressWarnings("StreamResourceLeak") // close() closes it
    MemoryFolder(String path) throws IOException {
        handle = Files.newDirectoryStream(Path.of(path));
        key = key(path);
    }

    private static @Nullable Object key(String path) throws IOException {
        return Files.readAttributes(Path.of(path), BasicFileAttributes.class).fileKey();
    }

    /** Whether the folder of this name is still this one. */
    boolean isStill(String path) {
        try {
            Object now = key(path);
            return now != null && now.equals(key);
        } catch (NoSuchFileException | NotDirectoryException e) {
            return false;
        } catch (IOException e) {
            // Not readable at the moment is not removed.
            return true;
        }
    }

    void add() {
        files++;
    }

    /** Returns whether no file is left. */
    boolean remove() {
        files--;
        return files == 0;
    }

    @Override
    public void close() {
        try {
            handle.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
