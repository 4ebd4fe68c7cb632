package org.berth.mapreduce.programs.reads;

/**
 * Number of a read: the number of its file and its offset there (in a compressed file: in what that unpacks to). Numbers grow in the
 * order of the input, and do not depend on how it was cut into splits.
 */
public final class ReadId {
    private static final int OFFSET_BITS = 44;

    private ReadId() {}

    static long of(int file, long offset) {
        return (long) file << OFFSET_BITS | offset;
    }

    /** Number of the file in the order of the paths, from 0. */
    public static int file(long id) {
        return (int) (id >>> OFFSET_BITS);
    }

    /** Offset of the record in the file. */
    public static long offset(long id) {
        return id & (1L << OFFSET_BITS) - 1;
    }
}
