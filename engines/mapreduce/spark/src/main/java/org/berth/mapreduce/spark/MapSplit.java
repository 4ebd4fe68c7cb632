package org.berth.mapreduce.spark;

import java.io.Serializable;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;

/**
 * A map and where its split is described.
 *
 * @param map its number
 * @param file the file of the job's splits
 * @param offset where the split begins there
 */
record MapSplit(int map, String file, long offset) implements Serializable {
    static MapSplit of(int map, TaskSplitIndex index) {
        return new MapSplit(map, index.getSplitLocation(), index.getStartOffset());
    }

    TaskSplitIndex index() {
        return new TaskSplitIndex(file, offset);
    }
}
