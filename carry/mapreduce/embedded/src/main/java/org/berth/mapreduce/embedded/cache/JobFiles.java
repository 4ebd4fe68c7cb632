package org.berth.mapreduce.embedded.cache;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjLongConsumer;
import org.apache.hadoop.conf.Configuration;

/** What one job keeps in memory for later ones. Thread-safe. */
public final class JobFiles {
    private static final Map<String, BlockOutput> WRITING = new ConcurrentHashMap<>();

    private final BlockCache cache;
    private final PathGlobs transients;
    private final List<String> ownFolders;
    private final List<URI> hdfs;
    private volatile long settledMillis;

    /**
     * A job whose blocks are in this cache.
     *
     * @param transients names of files that need no disk
     * @param ownFolders folders with files of the engine, which are not kept
     * @param hdfs clusters whose files are kept, in addition to local ones
     */
    public JobFiles(BlockCache cache, PathGlobs transients, List<String> ownFolders, List<URI> hdfs) {
        this.cache = cache;
        this.transients = transients;
        this.ownFolders = List.copyOf(ownFolders);
        this.hdfs = List.copyOf(hdfs);
    }

    BlockCache cache() {
        return cache;
    }

    PathGlobs transients() {
        return transients;
    }

    /** Files that jobs of this JVM are writing to the disk. */
    static Map<String, BlockOutput> writing() {
        return WRITING;
    }

    boolean isOwn(String path) {
        return ownFolders.stream().anyMatch(path::startsWith);
    }

    /** Makes the calling user's file systems of the job know the cache. */
    public void install(Configuration conf) throws IOException {
        JobFileSystems.installAgain(hdfs, conf);
    }

    /** Makes these file systems keep what the calling thread reads and writes, until the scope is closed. */
    public FileScope enter(ObjLongConsumer<FileCounter> counters) {
        return new FileScope(this, counters);
    }

    void changed(FileVersion version) {
        synchronized (this) {
            settledMillis = Math.max(settledMillis, version.settledMillis());
        }
    }

    /**
     * Waits until each further change of the files that the job wrote gives them other times. Nothing waits after the job's end, so a
     * program that writes to its output then is never answered from memory. It takes 20 ms at most.
     */
    public void settle() throws InterruptedException {
        long left = settledMillis - System.currentTimeMillis();
        if (left > 0) {
            Thread.sleep(Math.min(left, 2500));
        }
    }
}
