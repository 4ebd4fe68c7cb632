package org.berth.mapreduce.embedded.cache;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of files in memory, and the bound of all memory for files. A block counts for one version of its file only, which is a
 * {@link FileVersion} on the local disk and a {@link HdfsBlock.Version} on HDFS. The block that was used least recently leaves first;
 * memory that files without a disk have taken is not taken away. Thread-safe.
 */
public final class BlockCache {
    /** Size of a block. The last one of a file is as large as its content. */
    static final int BLOCK_BYTES = 256 << 10;

    private static final BlockCache OF_JVM = new BlockCache();

    private final TreeMap<String, CachedFile> files = new TreeMap<>();
    private final LinkedHashMap<Key, byte[]> blocks = new LinkedHashMap<>(64, 0.75f, true);
    private long limitBytes;
    private long usedBytes;

    private record Key(CachedFile file, int index) {}

    private static final class CachedFile {
        private String path;
        private Record version;
        private final BitSet present = new BitSet();

        private CachedFile(String path, Record version) {
            this.path = path;
            this.version = version;
        }
    }

    BlockCache() {}

    /** Returns the cache that all jobs of this JVM share. */
    public static BlockCache ofJvm() {
        return OF_JVM;
    }

    /** Sets the bound. Blocks beyond it leave at once; files without a disk stay. */
    public synchronized void limit(long bytes) {
        limitBytes = bytes;
        makeRoom(0);
    }

    /** Bytes in use. */
    public synchronized long usedBytes() {
        return usedBytes;
    }

    /** Whether a file of this size is worth its blocks: a larger one would push itself out before it is read again. */
    synchronized boolean mayHold(long bytes) {
        return bytes <= limitBytes;
    }

    /** Takes bytes from the bound, for which blocks leave. Returns whether there was room. */
    synchronized boolean reserve(long bytes) {
        if (bytes > limitBytes || !makeRoom(bytes)) {
            return false;
        }
        usedBytes += bytes;
        return true;
    }

    synchronized void release(long bytes) {
        usedBytes -= bytes;
    }

    private boolean makeRoom(long bytes) {
        Iterator<Map.Entry<Key, byte[]>> oldest = blocks.entrySet().iterator();
        while (usedBytes + bytes > limitBytes && oldest.hasNext()) {
            Map.Entry<Key, byte[]> entry = oldest.next();
            CachedFile file = entry.getKey().file();
            file.present.clear(entry.getKey().index());
            if (file.present.isEmpty()) {
                files.remove(file.path, file);
            }
            usedBytes -= entry.getValue().length;
            oldest.remove();
        }
        return usedBytes + bytes <= limitBytes;
    }

    synchronized byte @Nullable [] find(String path, Record version, int index) {
        CachedFile file = files.get(path);
        if (file == null) {
            return null;
        }
        if (!file.version.equals(version)) {
            drop(path);
            return null;
        }
        return blocks.get(new Key(file, index));
    }

    /** Keeps a block, which takes the place of those that were used least recently. */
    void put(String path, Record version, int index, byte[] data) {
        put(path, version, index, data, false);
    }

    /** Keeps the blocks of a whole file whose bytes the caller has reserved. */
    synchronized void adopt(String path, Record version, List<byte[]> data) {
        drop(path);
        for (int i = 0; i < data.size(); i++) {
            put(path, version, i, data.get(i), true);
        }
    }

    private synchronized void put(String path, Record version, int index, byte[] data, boolean reserved) {
        CachedFile file = files.get(path);
        if (file != null && !file.version.equals(version)) {
            drop(path);
            file = null;
        }
        if (file == null) {
            file = new CachedFile(path, version);
        } else if (file.present.get(index)) {
            if (reserved) {
                release(data.length);
            }
            return;
        }
        if (!reserved && !reserve(data.length)) {
            return;
        }
        files.put(path, file);
        file.present.set(index);
        blocks.put(new Key(file, index), data);
    }

    /** Forgets a file. */
    public synchronized void drop(String path) {
        CachedFile file = files.remove(path);
        if (file != null) {
            file.present.stream().forEach(index -> {
                byte[] data = blocks.remove(new Key(file, index));
                usedBytes -= data == null ? 0 : data.length;
            });
        }
    }

    /** Forgets a file, or all files below a folder. */
    public synchronized void dropTree(String path) {
        drop(path);
        new ArrayList<>(below(files, path).keySet()).forEach(this::drop);
    }

    /**
     * Follows the rename of a file whose version was this one before and after it.
     *
     * @param before null when the blocks must not follow
     */
    public synchronized void move(String from, String to, @Nullable FileVersion before, @Nullable FileVersion after) {
        drop(to);
        CachedFile file = files.get(from);
        if (file == null) {
            return;
        }
        if (before == null || after == null || !file.version.equals(before) || !before.sameContent(after)) {
            drop(from);
            return;
        }
        files.remove(from);
        file.version = after;
        file.path = to;
        files.put(to, file);
    }

    /** Follows the rename of a folder, which does not change the versions of its files. */
    public synchronized void moveTree(String from, String to) {
        dropTree(to);
        mergeTree(from, to);
    }

    /** Follows a rename after which there may still be other files below the new name. */
    public synchronized void mergeTree(String from, String to) {
        for (CachedFile file : new ArrayList<>(below(files, from).values())) {
            String path = to + file.path.substring(from.length());
            files.remove(file.path);
            drop(path);
            file.path = path;
            files.put(path, file);
        }
    }

    static <V> Map<String, V> below(NavigableMap<String, V> map, String folder) {
        String prefix = folder.endsWith("/") ? folder : folder + "/";
        return map.subMap(prefix, prefix.substring(0, prefix.length() - 1) + (char) ('/' + 1));
    }
}
