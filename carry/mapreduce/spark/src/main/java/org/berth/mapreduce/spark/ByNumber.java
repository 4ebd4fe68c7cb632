package org.berth.mapreduce.spark;

import org.apache.spark.Partitioner;

/** The key is the number of the partition. */
final class ByNumber extends Partitioner {
    private static final long serialVersionUID = 1;

    private final int partitions;

    ByNumber(int partitions) {
        this.partitions = partitions;
    }

    @Override
    public int numPartitions() {
        return partitions;
    }

    @Override
    public int getPartition(Object key) {
        return (Integer) key;
    }
}
