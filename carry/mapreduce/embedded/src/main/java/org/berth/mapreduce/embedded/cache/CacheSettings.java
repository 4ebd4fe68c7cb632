package org.berth.mapreduce.embedded.cache;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BerthLocalFileSystem;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.berth.mapreduce.client.EngineSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Switches the cache on for a job, by its properties. */
public final class CacheSettings {
    private static final Logger LOG = LoggerFactory.getLogger(CacheSettings.class);

    private CacheSettings() {}

    /**
     * Returns what a job keeps in memory, or null when the cache is off.
     *
     * @param ownFolders folders with files of the engine, which are not kept
     */
    public static @Nullable JobFiles of(Configuration conf, List<String> ownFolders) throws IOException {
        List<String> globs = PathGlobs.split(conf.get(EngineSettings.TRANSIENT, ""));
        long bytes = EngineSettings.cacheBytes(conf);
        if (bytes == 0) {
            if (!globs.isEmpty()) {
                LOG.warn(
                        "{} has no effect on this job: there is no memory for files; set {}",
                        EngineSettings.TRANSIENT,
                        EngineSettings.CACHE);
            }
            return null;
        }
        if (FileSystem.class.getClassLoader() != CacheSettings.class.getClassLoader()) {
            LOG.warn(
                    "{} has no effect on this job: Berth's jar came with it; put the jar on HADOOP_CLASSPATH",
                    EngineSettings.CACHE);
            return null;
        }
        FileSystem local = FileSystem.getLocal(conf);
        if (!BerthLocalFileSystem.install(local)) {
            LOG.warn(
                    "{} has no effect on this job: file: is {} here; remove fs.file.impl",
                    EngineSettings.CACHE,
                    local.getClass().getName());
            return null;
        }
        long heap = Runtime.getRuntime().maxMemory();
        long all = bytes + EngineSettings.of(conf).memoryBytes();
        if (all > heap / 5 * 4) {
            LOG.warn(
                    "{} and {} are {} MB of a heap of {} MB: too little is left for the tasks; lower one, or raise -Xmx",
                    EngineSettings.CACHE,
                    EngineSettings.MEMORY,
                    all >> 20,
                    heap >> 20);
        }
        BlockCache.ofJvm().limit(bytes);
        // Frees the memory of files whose folder another program has removed.
        MemoryFiles.ofJvm().below("/");
        return new JobFiles(
                BlockCache.ofJvm(), new PathGlobs(local(globs, local, conf)), ownFolders, JobFileSystems.install(conf));
    }

    private static List<String> local(List<String> globs, FileSystem local, Configuration conf) {
        List<String> result = new ArrayList<>();
        for (String glob : globs) {
            Path path = new Path(glob);
            String scheme = path.toUri().getScheme() != null
                    ? path.toUri().getScheme()
                    : FileSystem.getDefaultUri(conf).getScheme();
            if ("file".equals(scheme)) {
                result.add(local.makeQualified(path).toUri().getPath());
            } else {
                LOG.warn(
                        "{} has no effect on {}: only files of the local file system can be without a disk; they are written",
                        EngineSettings.TRANSIENT,
                        glob);
            }
        }
        return result;
    }
}
