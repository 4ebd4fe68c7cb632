package org.berth.mapreduce.runtime.blocks;

import java.util.ArrayList;
import java.util.List;

/** What one attempt of a map leaves to the reduces: for each partition its sorted segments, in the order of their records. */
public final class MapOutput {
    private final List<List<Segment>> partitions = new ArrayList<>();

    public MapOutput(int partitions) {
        for (int i = 0; i < partitions; i++) {
            this.partitions.add(new ArrayList<>());
        }
    }

    int partitions() {
        return partitions.size();
    }

    public List<Segment> segments(int partition) {
        return partitions.get(partition);
    }

    /** Releases all buffers and removes the files. */
    public void release() {
        for (int i = 0; i < partitions.size(); i++) {
            release(i);
        }
    }

    /** The same for one partition, whose reduce has succeeded. */
    public void release(int partition) {
        partitions.get(partition).forEach(Segment::release);
    }
}
