package org.berth.mapreduce.embedded.cache;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of the files without a disk. Their folders are on the disk. What another program does to the disk counts: a file is gone
 * when its folder was removed, or when there is a file of its name on the disk. Thread-safe: callers that rename a folder on the disk
 * hold this object's lock until they have called {@link #moveTree}.
 */
public final class MemoryFiles {
    private static final MemoryFiles OF_JVM = new MemoryFiles();

    private final TreeMap<String, MemoryFile> files = new TreeMap<>();
    private final Map<String, MemoryFolder> folders = new HashMap<>();

    MemoryFiles() {}

    /** Returns the files that all jobs of this JVM share. */
    public static MemoryFiles ofJvm() {
        return OF_JVM;
    }

    /** Whether there is none. */
    public synchronized boolean isEmpty() {
        return files.isEmpty();
    }

    /** Returns the file of this name, or null. */
    public synchronized @Nullable MemoryFile get(String path) {
        MemoryFile file = files.get(path);
        if (file == null) {
            return null;
        }
        MemoryFolder folder = folders.get(folder(path));
        if (folder == null || !folder.isStill(folder(path)) || new File(path).exists()) {
            remove(file);
            // Its checksums would refuse the file on the disk.
            remove(folder(path) + "/." + path.substring(path.lastIndexOf('/') + 1) + ".crc");
            return null;
        }
        return file;
    }

    private static String folder(String path) {
        return path.substring(0, Math.max(1, path.lastIndexOf('/')));
    }

    /** Adds a file whose folder exists; one of the same name is removed. */
    synchronized void add(MemoryFile file) throws IOException {
        remove(file.path());
        // Those of a former folder of this name are gone, and give way to the new one.
        in(folder(file.path()));
        String path = folder(file.path());
        MemoryFolder folder = folders.get(path);
        if (folder == null) {
            folder = new MemoryFolder(path);
            folders.put(path, folder);
        }
        folder.add();
        files.put(file.path(), file);
    }

    private void leaveFolder(String path) {
        MemoryFolder folder = folders.get(folder(path));
        if (folder != null && folder.remove()) {
            folder.close();
            folders.remove(folder(path));
        }
    }

    /** Removes a file and frees its memory. Returns whether there was one. */
    public synchronized boolean remove(String path) {
        MemoryFile file = files.get(path);
        if (file != null) {
            remove(file);
        }
        return file != null;
    }

    /** Removes this file and frees its memory, if it is still there. */
    public synchronized void remove(MemoryFile file) {
        if (files.remove(file.path(), file)) {
            leaveFolder(file.path());
            file.remove();
        }
    }

    /** Returns all files below a folder. */
    public synchronized List<MemoryFile> below(String folder) {
        List<MemoryFile> result =
                new ArrayList<>(BlockCache.below(files, folder).values());
        result.removeIf(file -> get(file.path()) == null);
        return result;
    }

    /** Returns the files in a folder, without those of its own folders. */
    public synchronized List<MemoryFile> in(String folder) {
        int start = folder.endsWith("/") ? folder.length() : folder.length() + 1;
        List<MemoryFile> result =
                new ArrayList<>(BlockCache.below(files, folder).values());
        result.removeIf(file -> file.path().indexOf('/', start) >= 0 || get(file.path()) == null);
        return result;
    }

    /** Gives a file another name in a folder that exists; one that has the name already is removed. */
    public synchronized void move(MemoryFile file, String to) throws IOException {
        if (file.path().equals(to) || files.get(file.path()) != file) {
            return;
        }
        String from = file.path();
        file.moved(to);
        add(file);
        files.remove(from);
        leaveFolder(from);
    }

    /** Follows the rename of a folder on the disk. Returns the files that were below it. */
    public synchronized List<MemoryFile> moveTree(String from, String to) {
        List<MemoryFile> moved = new ArrayList<>(BlockCache.below(files, from).values());
        for (MemoryFile file : moved) {
            files.remove(file.path());
            file.moved(to + file.path().substring(from.length()));
            files.put(file.path(), file);
        }
        for (String path : new ArrayList<>(folders.keySet())) {
            if (path.equals(from) || path.startsWith(from + "/")) {
                MemoryFolder folder = folders.remove(path);
                if (folder != null) {
                    folders.put(to + path.substring(from.length()), folder);
                }
            }
        }
        return moved;
    }
}
