package org.berth.mapreduce.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.berth.mapreduce.runtime.BerthMapTask;
import org.berth.mapreduce.runtime.MapOutput;
import org.berth.mapreduce.runtime.OutgoingBlocks;
import org.berth.mapreduce.runtime.Piece;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** A map with reduces: runs it, then hands its blocks to Spark's shuffle. */
final class MapFunction implements PairFlatMapFunction<Iterator<MapSplit>, Integer, Piece> {
    private static final long serialVersionUID = 1;

    private final String job;
    private final Broadcast<byte[]> description;

    MapFunction(String job, Broadcast<byte[]> description) {
        this.job = job;
        this.description = description;
    }

    @Override
    public Iterator<Tuple2<Integer, Piece>> call(Iterator<MapSplit> splits) throws Exception {
        if (!splits.hasNext()) {
            // Spark makes one partition of no splits.
            return Collections.emptyIterator();
        }
        MapSplit split = splits.next();
        MapOutput output = run(ExecutorJobs.of(job, description), split);
        if (output == null) {
            return Collections.emptyIterator();
        }
        OutgoingBlocks blocks = new OutgoingBlocks(split.map(), output);
        TaskContext.get().addTaskCompletionListener(context -> {
            try {
                blocks.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return blocks.hasNext();
            }

            @Override
            public Tuple2<Integer, Piece> next() {
                Piece piece = blocks.next();
                return new Tuple2<>(piece.partition(), piece);
            }
        };
    }

    static @Nullable MapOutput run(ExecutorJob job, MapSplit split) throws Exception {
        return new TaskBody(job, true, split.map())
                .run(attempt -> new BerthMapTask(
                        job.jobFile(), attempt, split.map(), split.index(), job.pool(), job.spillConf()));
    }
}
