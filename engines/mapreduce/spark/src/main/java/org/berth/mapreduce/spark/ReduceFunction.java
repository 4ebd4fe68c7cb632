package org.berth.mapreduce.spark;

import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.VoidFunction;
import org.apache.spark.broadcast.Broadcast;
import org.berth.mapreduce.runtime.BerthReduceTask;
import org.berth.mapreduce.runtime.IncomingBlocks;
import org.berth.mapreduce.runtime.MapOutputs;
import org.berth.mapreduce.runtime.Piece;
import scala.Tuple2;

/** A reduce: collects the blocks of its partition from Spark's shuffle, then runs over them. */
final class ReduceFunction implements VoidFunction<Iterator<Tuple2<Integer, Piece>>> {
    private static final long serialVersionUID = 1;

    private final String job;
    private final int maps;
    private final Broadcast<byte[]> description;

    ReduceFunction(String job, int maps, Broadcast<byte[]> description) {
        this.job = job;
        this.maps = maps;
        this.description = description;
    }

    @Override
    public void call(Iterator<Tuple2<Integer, Piece>> pieces) throws Exception {
        ExecutorJob here = ExecutorJobs.of(job, description);
        TaskContext spark = TaskContext.get();
        int partition = spark.partitionId();
        String name = "reduce-" + partition + "-" + spark.taskAttemptId();
        IncomingBlocks incoming = new IncomingBlocks(here.pool(), here.conf(), here.spillConf(), name);
        MapOutputs outputs;
        try {
            while (pieces.hasNext()) {
                incoming.add(pieces.next()._2());
            }
            outputs = incoming.finish(partition);
        } finally {
            incoming.abandon();
        }
        try {
            new TaskBody(here, false, partition)
                    .run(attempt ->
                            new BerthReduceTask(here.jobFile(), attempt, partition, maps, outputs, here.spillConf()));
        } finally {
            outputs.release();
        }
    }
}
