package org.berth.mapreduce.spark;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.berth.mapreduce.runtime.blocks.Piece;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/** A partition for each reduce in the JVM of the maps, without elements: the blocks are there already. */
final class LocalReduceRdd extends RDD<Tuple2<Integer, Piece>> {
    private static final long serialVersionUID = 1;

    private final transient int reduces;

    private record Reduce(int index) implements Partition {}

    LocalReduceRdd(SparkContext context, int reduces) {
        super(
                context,
                CollectionConverters.asScala(List.<org.apache.spark.Dependency<?>>of())
                        .toSeq(),
                ClassTag$.MODULE$.apply(Tuple2.class));
        this.reduces = reduces;
    }

    @Override
    public Partition[] getPartitions() {
        return IntStream.range(0, reduces).mapToObj(Reduce::new).toArray(Partition[]::new);
    }

    @Override
    public Iterator<Tuple2<Integer, Piece>> compute(Partition partition, TaskContext context) {
        return CollectionConverters.asScala(java.util.Collections.emptyIterator());
    }
}
