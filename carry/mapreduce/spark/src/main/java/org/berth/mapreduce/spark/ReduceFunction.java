package org.berth.mapreduce.spark;

import java.io.IOException;
import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.berth.mapreduce.runtime.BerthReduceTask;
import org.berth.mapreduce.runtime.blocks.IncomingBlocks;
import org.berth.mapreduce.runtime.blocks.MapOutputs;
import org.berth.mapreduce.runtime.blocks.Piece;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;

/** A reduce: collects the blocks of its partition from Spark's shuffle, unless the maps ran in this JVM, then runs over them. */
final class ReduceFunction extends AbstractFunction2<TaskContext, Iterator<Tuple2<Integer, Piece>>, Boolean>
        implements Serializable {
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
    public Boolean apply(TaskContext context, Iterator<Tuple2<Integer, Piece>> pieces) {
        try {
            ExecutorJob here = ExecutorJobs.of(job, description);
            SparkJob local = DriverJobs.find(job);
            if (local == null) {
                MapOutputs outputs = collected(here, context, pieces);
                try {
                    run(here, context.partitionId(), outputs);
                } finally {
                    outputs.release();
                }
            } else {
                run(here, context.partitionId(), local.outputs());
                local.outputs().release(context.partitionId());
            }
            return true;
        } catch (Exception e) {
            throw TaskBody.<RuntimeException>unchecked(e);
        }
    }

    private static MapOutputs collected(ExecutorJob here, TaskContext context, Iterator<Tuple2<Integer, Piece>> pieces)
            throws IOException {
        int partition = context.partitionId();
        String name = "reduce-" + partition + "-" + context.taskAttemptId();
        IncomingBlocks incoming = new IncomingBlocks(here.pool(), here.conf(), here.spillConf(), name);
        try {
            while (pieces.hasNext()) {
                incoming.add(pieces.next()._2());
            }
            return incoming.finish(partition);
        } finally {
            incoming.abandon();
        }
    }

    private void run(ExecutorJob here, int partition, MapOutputs outputs) throws Exception {
        new TaskBody(here, false, partition)
                .run(attempt ->
                        new BerthReduceTask(here.jobFile(), attempt, partition, maps, outputs, here.spillConf()));
    }
}
