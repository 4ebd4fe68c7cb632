package org.berth.mapreduce.spark;

import java.util.Iterator;
import org.apache.spark.api.java.function.VoidFunction;
import org.apache.spark.broadcast.Broadcast;
import org.berth.mapreduce.runtime.MapOutput;

/** A map of a job without reduces. */
final class MapOnlyFunction implements VoidFunction<Iterator<MapSplit>> {
    private static final long serialVersionUID = 1;

    private final String job;
    private final Broadcast<byte[]> description;

    MapOnlyFunction(String job, Broadcast<byte[]> description) {
        this.job = job;
        this.description = description;
    }

    @Override
    public void call(Iterator<MapSplit> splits) throws Exception {
        if (!splits.hasNext()) {
            return;
        }
        MapOutput output = MapFunction.run(ExecutorJobs.of(job, description), splits.next());
        if (output != null) {
            output.release();
        }
    }
}
