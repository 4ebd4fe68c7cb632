package org.berth.mapreduce.embedded.cache;

/** Counters of a job's group {@code Berth}. Files of checksums are not counted. */
public enum FileCounter {
    /** Blocks of input that were in memory. */
    CACHE_HITS,
    /** Bytes that tasks read from these blocks. */
    CACHE_HIT_BYTES,
    /** Blocks of input that were read from the file system, although the cache was on. */
    CACHE_MISSES,
    /** Bytes that tasks read from these blocks. */
    CACHE_MISS_BYTES,
    /** Files that were not written to the file system. */
    TRANSIENT_FILES,
    /** Their bytes. */
    TRANSIENT_BYTES,
    /** Files that need not have been written to the file system, but for which there was no room. */
    TRANSIENT_FILES_WRITTEN;

    /** The name of the group. */
    public static final String GROUP = "Berth";
}
