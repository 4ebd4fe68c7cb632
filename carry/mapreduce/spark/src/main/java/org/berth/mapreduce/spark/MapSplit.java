package org.berth.mapreduce.spark;

import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.spark.Partition;

/**
 * A map and where its split is described.
 *
 * @param index number of the map
 * @param file the file of the job's splits
 * @param offset where the split begins there
 */
record MapSplit(int index, String file, long offset) implements Partition {
    static MapSplit of(int map, TaskSplitIndex split) {
        return new MapSplit(map, split.getSplitLocation(), split.getStartOffset());
    }

    TaskSplitIndex position() {
        return new TaskSplitIndex(file, offset);
    }
}
