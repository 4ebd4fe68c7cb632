package org.berth.mapreduce.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.berth.mapreduce.runtime.BerthMapTask;
import org.berth.mapreduce.runtime.blocks.MapOutput;
import org.berth.mapreduce.runtime.blocks.OutgoingBlocks;
import org.berth.mapreduce.runtime.blocks.Piece;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * The maps of a job; the elements are what Spark's shuffle takes to the reduces. Spark's own operators describe themselves as JSON and
 * have their functions searched for references, which takes a quarter of a second in a new JVM.
 */
final class MapRdd extends RDD<Tuple2<Integer, Piece>> {
    private static final long serialVersionUID = 1;

    private final String job;
    private final Broadcast<byte[]> description;
    private final transient MapSplit[] splits;
    private final transient List<List<String>> hosts;

    /** @param hosts of each split, where Spark may choose */
    MapRdd(
            SparkContext context,
            String job,
            Broadcast<byte[]> description,
            List<MapSplit> splits,
            List<List<String>> hosts) {
        super(
                context,
                CollectionConverters.asScala(List.<org.apache.spark.Dependency<?>>of())
                        .toSeq(),
                ClassTag$.MODULE$.apply(Tuple2.class));
        this.job = job;
        this.description = description;
        this.splits = splits.toArray(MapSplit[]::new);
        this.hosts = hosts;
    }

    @Override
    public Partition[] getPartitions() {
        return splits;
    }

    @Override
    public Seq<String> getPreferredLocations(Partition split) {
        return CollectionConverters.asScala(hosts.get(split.index())).toSeq();
    }

    @Override
    public Iterator<Tuple2<Integer, Piece>> compute(Partition split, TaskContext context) {
        try {
            return CollectionConverters.asScala(run((MapSplit) split, context));
        } catch (Exception e) {
            throw TaskBody.<RuntimeException>unchecked(e);
        }
    }

    private java.util.Iterator<Tuple2<Integer, Piece>> run(MapSplit split, TaskContext context) throws Exception {
        ExecutorJob here = ExecutorJobs.of(job, description);
        MapOutput output = new TaskBody(here, true, split.index())
                .run(attempt -> new BerthMapTask(
                        here.jobFile(), attempt, split.index(), split.position(), here.pool(), here.spillConf()));
        if (output == null) {
            return Collections.emptyIterator();
        }
        SparkJob local = DriverJobs.find(job);
        if (local != null) {
            local.keep(split.index(), output);
            return Collections.emptyIterator();
        }
        OutgoingBlocks blocks = new OutgoingBlocks(split.index(), output);
        context.addTaskCompletionListener(ended -> {
            try {
                blocks.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return new java.util.Iterator<>() {
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
}
