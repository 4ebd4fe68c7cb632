package org.berth.mapreduce.runtime.blocks;

import java.io.IOException;

/** The sorted records of one partition from one run of one map. It may be read several times until it is released. */
public interface Segment {
    Cursor open() throws IOException;

    /** Bytes in memory, or in the file. */
    long bytes();

    long records();

    boolean onDisk();

    void release();
}
